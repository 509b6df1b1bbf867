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
// rows that were deleted would be there again. And a manifest of another form than
// it expects makes it panic, in a goroutine of its own, so that the process would
// end. Nothing is read a second time.
type vigilant struct {
	iceio.IO
	// lists are the locations of the manifest lists.
	lists map[string]bool

	mu sync.Mutex
	// manifests are those of the lists, by location.
	manifests map[string]iceberg.ManifestFile
}

// lists are the locations of the manifest lists that a scan may need.
func (s *Scan) lists(view *pinned) map[string]bool {
	found := map[string]bool{}
	for at := view.snapshot; at != nil; {
		found[at.ManifestList] = true
		if s.After == nil || at.ParentSnapshotID == nil || *at.ParentSnapshotID == *s.After {
			break
		}
		at = view.SnapshotByID(*at.ParentSnapshotID)
	}
	return found
}

// Open implements iceio.IO. It fails on a file that iceberg-go cannot read, and on a
// manifest with such a vector.
func (v *vigilant) Open(name string) (iceio.File, error) {
	file, err := v.IO.Open(name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	if err == nil {
		err = v.check(name, content)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &openedFile{file, bytes.NewReader(content)}, nil
}

// check returns a fault. What is wrong with a file's content is its cause alone.
func (v *vigilant) check(name string, content []byte) (err error) {
	what := "manifest"
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v", value)
		}
		if err != nil && !fault.Is(err, fault.Unsupported) {
			err = fault.Because(err, fault.Unsupported, "The %s %s cannot be decoded", what, name)
		}
	}()
	if v.lists[name] {
		what = "manifest list"
		if err := v.note(content); err != nil {
			return err
		}
	}
	v.mu.Lock()
	manifest := v.manifests[name]
	v.mu.Unlock()
	if manifest == nil && v.lists[name] {
		return nil
	}
	if manifest == nil { // version 1 may name manifests without a list
		manifest = iceberg.NewManifestFile(1, name, int64(len(content)), 0, 0).Build()
	}
	if manifest.ManifestContent() == iceberg.ManifestContentDeletes {
		return checkVectors(manifest, content)
	}
	_, err = iceberg.NewManifestReader(manifest, bytes.NewReader(content))
	return err
}

// note remembers the manifests of a list.
func (v *vigilant) note(list []byte) error {
	manifests, err := iceberg.ReadManifestList(bytes.NewReader(list))
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range manifests {
		v.manifests[m.FilePath()] = m
	}
	return nil
}

func checkVectors(manifest iceberg.ManifestFile, content []byte) error {
	entries, err := iceberg.NewManifestReaderWithProjection(manifest, bytes.NewReader(content), iceberg.ManifestEntryProjection{})
	if err != nil {
		return err
	}
	for {
		entry, err := entries.ReadEntry()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
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
