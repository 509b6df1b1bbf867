package files

import (
	"context"
	"errors"
	"io/fs"

	iceio "github.com/apache/iceberg-go/io"
)

// Stamp tells whether a file is still the one that was read: metadata files are never changed, so that a different stamp
// means that somebody has put another file in its place. Stamps are compared with ==.
type Stamp struct {
	size     int64
	modified int64 // nanoseconds, of an instant that need not mean anything
}

// Stat looks whether a file is there, without reading it: an object store is asked for the object's head. The errors are
// those of Read.
func (s *Store) Stat(ctx context.Context, location string) (Stamp, error) {
	info, err := s.stat(ctx, location)
	if err == nil && info.IsDir() {
		err = errDirectory
	}
	if err != nil {
		return Stamp{}, explain(location, err)
	}
	return Stamp{info.Size(), info.ModTime().UnixNano()}, nil
}

func (s *Store) stat(ctx context.Context, location string) (info fs.FileInfo, err error) {
	files, name, err := s.open(ctx, location)
	if err != nil {
		return nil, err
	}
	if quick, ok := files.(iceio.StatIO); ok {
		return quick.Stat(name)
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return file.Stat()
}
