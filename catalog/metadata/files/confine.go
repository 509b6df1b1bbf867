package files

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Anywhere is what Confine takes for no bounds at all.
const Anywhere = "*"

// ErrOutside means that a location is not among those that a Store was confined to. As what a client asked for it is a
// fault of kind Invalid.
var ErrOutside = fmt.Errorf("%w: it is outside of the locations that this catalog may use", errBadLocation)

// Confine lets the store read, write and delete only files at or below the given locations; Anywhere takes that back.
// Without it, a client that may write a table's metadata could have the server write and delete whatever the server can.
// Links below an allowed folder are followed. It is called before the store is used. The error names a location that is
// none.
func (s *Store) Confine(locations ...string) error {
	var allowed []place
	for _, location := range locations {
		if location == Anywhere {
			s.allowed = nil
			return nil
		}
		within, err := locate(location)
		if err == nil && within.climbs() {
			err = fmt.Errorf("%w: %q leads upwards", errBadLocation, location)
		}
		if err != nil {
			return err
		}
		allowed = append(allowed, within)
	}
	if len(allowed) == 0 {
		return errors.New("there is no location")
	}
	s.allowed = allowed
	return nil
}

// Check returns ErrOutside, wrapped, for a location that the store must not touch, and nil for any other, even if
// nothing can be there.
func (s *Store) Check(location string) error {
	at, err := locate(location)
	if err != nil {
		return nil // it is refused for what it is
	}
	return s.check(location, at)
}

func (s *Store) check(location string, at place) error {
	if s.allowed == nil {
		return nil
	}
	for _, within := range s.allowed {
		if within.contains(at) {
			return nil
		}
	}
	return fmt.Errorf("%w: %q", ErrOutside, location)
}

// contains reports whether another place is the same or below.
func (p place) contains(at place) bool {
	if p.bucket() != at.bucket() || at.root != "" && at.climbs() {
		return false
	}
	folder, inner := p.path(), at.path()
	return folder == inner || strings.HasPrefix(inner, strings.TrimSuffix(folder, "/")+"/")
}

// bucket is the root in one spelling: Hadoop's names for S3 mean the same buckets.
func (p place) bucket() string {
	scheme, authority, _ := strings.Cut(p.root, "://")
	scheme = strings.ToLower(scheme)
	if scheme == "s3a" || scheme == "s3n" {
		scheme = "s3"
	}
	return scheme + "://" + authority
}

// path is the cleaned path on the disk, or the key in the bucket with a slash before it.
func (p place) path() string {
	if p.local != "" {
		return path.Clean(p.local)
	}
	return "/" + strings.Trim(p.key, "/")
}

// climbs reports whether a path has a segment "..". Object stores take it for a name, and programs before them do not.
func (p place) climbs() bool {
	for segment := range strings.SplitSeq(p.local+p.key, "/") {
		if segment == ".." {
			return true
		}
	}
	return false
}
