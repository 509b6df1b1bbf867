package files

import (
	"context"
	"errors"
	"io"
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

// Open implements iceio.IO. Its errors, and those of reading the file, are faults as those of Store.Read.
func (o storeIO) Open(location string) (iceio.File, error) {
	file, err := o.open(location)
	if err != nil {
		return nil, explain(location, err)
	}
	return explainedFile{file, location}, nil
}

func (o storeIO) open(location string) (iceio.File, error) {
	files, name, err := o.store.open(o.ctx, location)
	if err == nil {
		err = readable(files, name)
	}
	if err != nil {
		return nil, err
	}
	return files.Open(name)
}

// explainedFile tells storage that fails while a file is read from a file that makes no sense.
type explainedFile struct {
	iceio.File
	location string
}

func (f explainedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	return n, f.explain(err)
}

func (f explainedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	return n, f.explain(err)
}

func (f explainedFile) explain(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return explain(f.location, err)
}

// Remove implements iceio.IO.
func (o storeIO) Remove(location string) error {
	files, name, err := o.store.open(o.ctx, location)
	if err != nil {
		return &fs.PathError{Op: "remove", Path: location, Err: err}
	}
	return files.Remove(name)
}
