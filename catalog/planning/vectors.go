package planning

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// vigilant is the storage that iceberg-go plans from. It reads along, because
// iceberg-go passes over a deletion vector that does not name its data file: the
// rows that were deleted would be there again. Nothing is read a second time.
type vigilant struct {
	iceio.IO
	// list is the location of the snapshot's manifest list.
	list string

	mu sync.Mutex
	// deletes are the list's manifests of delete files, by location.
	deletes map[string]iceberg.ManifestFile
}

// Open implements iceio.IO. It fails on a manifest with such a vector.
func (v *vigilant) Open(name string) (iceio.File, error) {
	v.mu.Lock()
	manifest := v.deletes[name]
	v.mu.Unlock()
	if name != v.list && manifest == nil {
		return v.IO.Open(name)
	}
	file, err := v.IO.Open(name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	if err == nil {
		if manifest == nil {
			err = v.note(content)
		} else {
			err = checkVectors(manifest, content)
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &openedFile{file, bytes.NewReader(content)}, nil
}

// note remembers which manifests have delete files.
func (v *vigilant) note(list []byte) error {
	manifests, err := iceberg.ReadManifestList(bytes.NewReader(list))
	if err != nil {
		return fmt.Errorf("read the manifest list: %w", err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.deletes = map[string]iceberg.ManifestFile{}
	for _, m := range manifests {
		if m.ManifestContent() == iceberg.ManifestContentDeletes {
			v.deletes[m.FilePath()] = m
		}
	}
	return nil
}

func checkVectors(manifest iceberg.ManifestFile, content []byte) error {
	entries, err := iceberg.NewManifestReaderWithProjection(manifest, bytes.NewReader(content), iceberg.ManifestEntryProjection{})
	if err != nil {
		return fmt.Errorf("read the manifest %s: %w", manifest.FilePath(), err)
	}
	for {
		entry, err := entries.ReadEntry()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the manifest %s: %w", manifest.FilePath(), err)
		}
		vector := entry.DataFile()
		if entry.Status() != iceberg.EntryStatusDELETED && table.IsDeletionVector(vector) && vector.ReferencedDataFile() == nil {
			return fault.New(fault.Unsupported,
				"A deletion vector in %s does not name its data file, so that nobody can tell which rows are deleted", vector.FilePath())
		}
	}
}

// openedFile is a file that has been read.
type openedFile struct {
	iceio.File
	content *bytes.Reader
}

func (f *openedFile) Read(p []byte) (int, error)                { return f.content.Read(p) }
func (f *openedFile) ReadAt(p []byte, off int64) (int, error)   { return f.content.ReadAt(p, off) }
func (f *openedFile) Seek(off int64, whence int) (int64, error) { return f.content.Seek(off, whence) }
