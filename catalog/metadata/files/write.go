package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	iceio "github.com/apache/iceberg-go/io"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// Write makes a metadata file that holds the text, compressed if the name says so. It never replaces a file: one that is
// there already is fs.ErrExist. When it returns without error the file is durable; on a local disk, where folders are
// made as needed, no reader ever sees part of it. A location that cannot be one is a fault of kind Invalid, storage that
// does not take the file one of kind Unavailable, or Denied for want of rights.
func (s *Store) Write(ctx context.Context, location string, text []byte) error {
	err := s.write(ctx, location, text)
	if err == nil {
		return nil
	}
	full := fmt.Errorf("write %s: %w", location, err)
	switch {
	case errors.Is(err, ErrLocation):
		return fault.New(fault.Invalid, "Cannot write file: %s: %w", location, err)
	case errors.Is(err, fs.ErrInvalid), isNoBucket(err):
		return fault.Because(full, fault.Invalid, "Cannot write file: %s: there is no such place", location)
	case errors.Is(err, fs.ErrExist), ctx.Err() != nil:
		return full
	case isDenied(err):
		return fault.Because(full, fault.Denied, "Cannot write file: %s: this server has no right to", location)
	}
	return fault.Because(full, fault.Unavailable, "Cannot write file: %s: the storage does not take it", location)
}

func (s *Store) write(ctx context.Context, location string, text []byte) error {
	files, name, err := s.open(ctx, location)
	if err != nil {
		return err
	}
	raw := text
	if isGzipName(location) {
		if raw, err = compress(text); err != nil {
			return err
		}
	}
	if _, local := files.(iceio.LocalFS); local {
		return writeLocal(name, raw)
	}
	return writeRemote(files, name, raw)
}

// isNoBucket recognizes S3's code for a bucket that does not exist. A bucket that exists and cannot be reached today is
// another matter.
func isNoBucket(err error) bool {
	var coded interface{ ErrorCode() string }
	return errors.As(err, &coded) && coded.ErrorCode() == "NoSuchBucket"
}

// isDenied recognizes that the disk or S3 refuses this server what it asks. A head of S3's has no body to name the code in,
// so that its client makes one of the status.
func isDenied(err error) bool {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) && (coded.ErrorCode() == "AccessDenied" || coded.ErrorCode() == "Forbidden") {
		return true
	}
	return errors.Is(err, fs.ErrPermission)
}

// writeLocal writes beside the final place and links the file there, which is atomic and fails if the name is taken.
func writeLocal(path string, raw []byte) (err error) {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	// The temporary name goes in any case: after the link the file has its own.
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	if err := errors.Join(fill(file, raw), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

func fill(file *os.File, raw []byte) error {
	if _, err := file.Write(raw); err != nil {
		return err
	}
	// A temporary file is its owner's alone; engines that run as other users read metadata too.
	if err := file.Chmod(0o644); err != nil {
		return err
	}
	return file.Sync()
}

// syncFolder makes a new name durable, which syncing the file alone does not.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// writeRemote writes an object, which object stores do all or nothing. They have no common way to write only if absent,
// so the look before is best effort; names are unique by their uuid anyway.
func writeRemote(files iceio.IO, name string, raw []byte) error {
	writer, ok := files.(iceio.WriteFileIO)
	if !ok {
		return fmt.Errorf("%T cannot write", files)
	}
	switch existing, err := files.Open(name); {
	case err == nil:
		return errors.Join(fs.ErrExist, existing.Close())
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return writer.WriteFile(name, raw)
}

func compress(text []byte) ([]byte, error) {
	var raw bytes.Buffer
	zip := gzip.NewWriter(&raw)
	if _, err := zip.Write(text); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	return raw.Bytes(), nil
}
