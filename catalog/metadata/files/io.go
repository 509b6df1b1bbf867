package files

import (
	"context"
	"io/fs"

	iceio "github.com/apache/iceberg-go/io"
)

// IO returns the store as iceberg-go's file IO, for reading manifests and planning scans. Unlike iceberg-go's own, it
// serves every location, whatever its bucket. The context ends all its calls.
func (s *Store) IO(ctx context.Context) iceio.IO { return storeIO{ctx, s} }

// storeIO holds a context because iceberg-go's interface has no room for one.
type storeIO struct {
	ctx   context.Context
	store *Store
}

// Open implements iceio.IO.
func (o storeIO) Open(location string) (iceio.File, error) {
	files, name, err := o.store.open(o.ctx, location)
	if err == nil {
		err = readable(files, name)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: location, Err: err}
	}
	return files.Open(name)
}

// Remove implements iceio.IO.
func (o storeIO) Remove(location string) error {
	files, name, err := o.store.open(o.ctx, location)
	if err != nil {
		return &fs.PathError{Op: "remove", Path: location, Err: err}
	}
	return files.Remove(name)
}
