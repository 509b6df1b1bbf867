package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	iceio "github.com/apache/iceberg-go/io"
	"github.com/klauspost/compress/zstd"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// MaxMetadata is the most bytes that Read returns, before and after decompression. A file that small can promise
// terabytes of zeros.
const MaxMetadata = 512 << 20

// Read returns the text of a metadata file, decompressed. A file that is not there is a fault of kind NotFound with the
// text that clients look for; a location that cannot be one, and a file that cannot be read as what it claims to be, are
// of kind Invalid; storage that does not give it is one of kind Unavailable, or Denied for want of rights. The context is looked at before the file IO
// is called, which itself cannot be interrupted.
func (s *Store) Read(ctx context.Context, location string) ([]byte, error) {
	text, err := s.read(ctx, location)
	if err != nil {
		return nil, explain(location, err)
	}
	return text, nil
}

func (s *Store) read(ctx context.Context, location string) (_ []byte, err error) {
	files, name, err := s.open(ctx, location)
	if err != nil {
		return nil, err
	}
	if err := readable(files, name); err != nil {
		return nil, err
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var size int64
	if info, err := file.Stat(); err == nil {
		if info.IsDir() {
			return nil, errDirectory
		}
		size = info.Size()
	}
	raw, err := readAll(file, size)
	if err != nil {
		return nil, err
	}
	return decompress(raw)
}

// readable refuses what is on the disk and no file: opening a pipe waits for who writes to it, and a device may never
// end.
func readable(files iceio.IO, name string) error {
	if _, local := files.(iceio.LocalFS); !local {
		return nil
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return errNoFile
	}
	return nil
}

// explain turns an error of the file IO into what a client is told.
func explain(location string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fault.Because(fs.ErrNotExist, fault.NotFound, "Failed to open input stream for file: %s", location)
	case errors.Is(err, ErrLocation), errors.Is(err, errContent):
		return fault.New(fault.Invalid, "Cannot read file: %s: %w", location, err)
	}
	full := fmt.Errorf("read %s: %w", location, err)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return full
	}
	if isDenied(err) {
		return fault.Because(full, fault.Denied, "Cannot read file: %s: this server has no right to", location)
	}
	return fault.Because(full, fault.Unavailable, "Cannot read file: %s: the storage does not give it", location)
}

// errContent is what is wrong with a file that is there but is no metadata.
var errContent = errors.New("unreadable")

var (
	errTooBig    = fmt.Errorf("%w: more than %d bytes", errContent, MaxMetadata)
	errNoFile    = fmt.Errorf("%w: it is no regular file", errContent)
	errDirectory = fmt.Errorf("%w: it is a directory", errContent)
)

// readAll reads what has about that size, 0 for unknown. A large file costs several times its size in memory when the
// size has to be found out.
func readAll(r io.Reader, size int64) ([]byte, error) {
	room := min(max(size, 0), MaxMetadata) + bytes.MinRead
	text := bytes.NewBuffer(make([]byte, 0, room))
	if _, err := text.ReadFrom(io.LimitReader(r, MaxMetadata+1)); err != nil {
		return nil, err
	}
	if text.Len() > MaxMetadata {
		return nil, errTooBig
	}
	return text.Bytes(), nil
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// decompress undoes gzip or zstd, which no JSON text can be mistaken for.
func decompress(raw []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(raw, gzipMagic):
		unzip, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("%w: gzip: %w", errContent, err)
		}
		text, err := readAll(unzip, 0)
		if err != nil {
			return nil, fmt.Errorf("%w: gzip: %w", errContent, err)
		}
		return text, nil
	case bytes.HasPrefix(raw, zstdMagic):
		decoder, err := zstd.NewReader(bytes.NewReader(raw), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(MaxMetadata))
		if err != nil {
			return nil, fmt.Errorf("%w: zstd: %w", errContent, err)
		}
		defer decoder.Close()
		text, err := readAll(decoder, 0)
		if err != nil {
			return nil, fmt.Errorf("%w: zstd: %w", errContent, err)
		}
		return text, nil
	}
	return raw, nil
}
