package files

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Anywhere is what Confine takes for no bounds at all.
const Anywhere = "*"

// ErrLocation means that a location is none that a Store uses. As what a client asked for it is a fault of kind Invalid.
var ErrLocation = errors.New("invalid location")

// ErrOutside is the ErrLocation of one that is not among those that a Store was confined to.
var ErrOutside = fmt.Errorf("%w: it is outside of the locations that this catalog may use", ErrLocation)

// Confine lets the store read, write and delete only files at or below the given locations; Anywhere takes that back.
// Without it, a client that may write a table's metadata could have the server write and delete whatever the server can.
// Both the name and where it leads on the disk must be allowed: a link may lead from one allowed folder to another, and
// an allowed folder may itself be reached by a link. It is called before the store is used. The error names a location
// that is none.
func (s *Store) Confine(locations ...string) error {
	var allowed []place
	for _, location := range locations {
		if location == Anywhere {
			s.allowed = nil
			return nil
		}
		within, err := locate(location)
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

// Check returns ErrLocation, wrapped, for a location that the store does not touch, and nil for any other, even if
// nothing can be there, or it cannot be found out what is.
func (s *Store) Check(location string) error {
	at, err := locate(location)
	if err == nil {
		err = s.check(location, at)
	}
	if errors.Is(err, ErrLocation) {
		return err
	}
	return nil
}

func (s *Store) check(location string, at place) error {
	if s.allowed == nil {
		return nil
	}
	if !s.allows(at) {
		return fmt.Errorf("%w: %q", ErrOutside, location)
	}
	if at.local == "" {
		return nil
	}
	return s.checkLinks(location, at)
}

// allows goes by names.
func (s *Store) allows(at place) bool {
	for _, within := range s.allowed {
		if within.contains(at) {
			return true
		}
	}
	return false
}

// contains reports whether another place is the same or below.
func (p place) contains(at place) bool {
	if p.bucket() != at.bucket() {
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
