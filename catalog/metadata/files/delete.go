package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	iceio "github.com/apache/iceberg-go/io"
)

// Delete deletes files. Those that are not there are passed over. It goes on after a failure and returns all failures
// together, each with its location.
func (s *Store) Delete(ctx context.Context, locations ...string) error {
	var failures []error
	for _, location := range locations {
		if err := s.delete(ctx, location); err != nil {
			failures = append(failures, fmt.Errorf("delete %s: %w", location, err))
		}
	}
	return errors.Join(failures...)
}

func (s *Store) delete(ctx context.Context, location string) error {
	files, name, err := s.open(ctx, location)
	if err != nil {
		return err
	}
	// A local Remove takes empty folders too, and a folder is never what was meant.
	if _, local := files.(iceio.LocalFS); local && isFolder(name) {
		return errDirectory
	}
	if err := files.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
