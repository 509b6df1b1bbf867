package files

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	iceio "github.com/apache/iceberg-go/io"
)

// Store is where metadata files are. It is safe for concurrent use.
type Store struct {
	configuration map[string]string
	allowed       []place // nil for everywhere

	mu sync.Mutex
	// remotes holds one file IO per scheme and authority, since iceberg-go's serve one bucket each and their clients are
	// dear to make.
	remotes map[string]iceio.IO
}

// NewStore returns a store with the catalog's file IO configuration: properties by iceberg-go's names, such as
// s3.endpoint. Secrets in it appear in no error.
func NewStore(configuration map[string]string) *Store {
	return &Store{configuration: maps.Clone(configuration), remotes: map[string]iceio.IO{}}
}

// place is a location that was looked at: either a path on the local disk or an object for a remote file IO.
type place struct {
	// local is the path, or empty for a remote object.
	local string
	// root is scheme and authority of a remote object, as in "s3://bucket", and key what follows.
	root, key string
}

// inMemory is iceberg-go's scheme for files that live in the process and are gone with it.
const inMemory = "mem"

// locate tells where a location is. Of a file URI everything after the scheme and an empty or local authority is the
// path, byte for byte: Java's and Python's file IO do not decode percent signs either, and a client that wrote
// file:/w/a%20b means the folder with that name. Segments "." and ".." are refused: a disk follows them, an object store
// takes them for names, and clients in between do this or that.
func locate(location string) (place, error) {
	at, err := placeOf(location)
	if err != nil {
		return place{}, err
	}
	for segment := range strings.SplitSeq(at.local+at.key, "/") {
		switch segment {
		case "..":
			return place{}, fmt.Errorf("%w: %q leads upwards by a segment %q", ErrLocation, location, segment)
		case ".":
			return place{}, fmt.Errorf("%w: %q has a segment %q", ErrLocation, location, segment)
		}
	}
	return at, nil
}

func placeOf(location string) (place, error) {
	scheme, rest, isURI := strings.Cut(location, ":")
	if !isURI || !isScheme(scheme) {
		return localPlace(location, location)
	}
	if strings.EqualFold(scheme, "file") {
		if path, hasAuthority := strings.CutPrefix(rest, "//"); hasAuthority {
			path = strings.TrimPrefix(path, "localhost")
			return localPlace(location, path)
		}
		return localPlace(location, rest)
	}
	authority, found := strings.CutPrefix(rest, "//")
	if !found {
		return place{}, fmt.Errorf("%w: %q is no absolute URI", ErrLocation, location)
	}
	if strings.EqualFold(scheme, inMemory) {
		return place{}, fmt.Errorf("%w: %q would not be kept", ErrLocation, location)
	}
	authority, key, _ := strings.Cut(authority, "/")
	if authority == "" {
		return place{}, fmt.Errorf("%w: %q names no bucket", ErrLocation, location)
	}
	return place{root: scheme + "://" + authority, key: key}, nil
}

func localPlace(location, path string) (place, error) {
	if !strings.HasPrefix(path, "/") {
		return place{}, fmt.Errorf("%w: %q is no absolute path", ErrLocation, location)
	}
	if strings.ContainsRune(path, 0) {
		return place{}, fmt.Errorf("%w: %q holds a zero byte", ErrLocation, location)
	}
	return place{local: path}, nil
}

func isScheme(text string) bool {
	for i, c := range []byte(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(c))) {
			return false
		}
	}
	return text != ""
}

// open returns the file IO for a location and the name by which that IO knows the file.
func (s *Store) open(ctx context.Context, location string) (iceio.IO, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	place, err := locate(location)
	if err == nil {
		err = s.check(location, place)
	}
	if err != nil {
		return nil, "", err
	}
	if place.local != "" {
		return iceio.LocalFS{}, place.local, nil
	}
	remote, err := s.remote(place.root)
	return remote, location, err
}

// remote returns the file IO for a bucket. It outlives the request that first needs it, so it gets a context of its own.
func (s *Store) remote(root string) (iceio.IO, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if remote, ok := s.remotes[root]; ok {
		return remote, nil
	}
	remote, err := iceio.LoadFS(context.Background(), maps.Clone(s.configuration), root+"/")
	if errors.Is(err, iceio.ErrIOSchemeNotFound) {
		return nil, fmt.Errorf("%w: no file IO for %s", ErrLocation, root)
	}
	if err != nil {
		return nil, fmt.Errorf("file IO for %s: %w", root, err)
	}
	s.remotes[root] = remote
	return remote, nil
}
