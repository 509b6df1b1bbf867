package tables_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// lake is a table with real manifests on a disk.
type lake struct {
	folder string
	table  *tables.Table
}

// layLake makes a table whose two snapshots share a manifest: data-1 and data-2 were added, then data-1 and data-0, from a
// snapshot that has expired, were deleted and a position delete file added.
func layLake(t *testing.T, properties string) *lake {
	t.Helper()
	l := &lake{folder: t.TempDir()}
	request, err := tables.ParseCreate([]byte(`{"name":"t","schema":` + twoColumns + `,"properties":` + properties + `}`))
	if err != nil {
		t.Fatal(err)
	}
	base, err := request.Build("file:"+l.folder, at(start), uuids())
	if err != nil {
		t.Fatal(err)
	}
	added := l.manifest(t, "m-added.avro", 1, iceberg.ManifestContentData,
		entry(t, iceberg.EntryStatusADDED, iceberg.EntryContentData, 1, l.uri("data-1.parquet")),
		entry(t, iceberg.EntryStatusADDED, iceberg.EntryContentData, 1, l.uri("data-2.parquet")))
	deleted := l.manifest(t, "m-deleted.avro", 2, iceberg.ManifestContentData,
		entry(t, iceberg.EntryStatusDELETED, iceberg.EntryContentData, 1, l.uri("data-1.parquet")),
		entry(t, iceberg.EntryStatusDELETED, iceberg.EntryContentData, 1, l.uri("data-0.parquet")))
	deletes := l.manifest(t, "m-deletes.avro", 2, iceberg.ManifestContentDeletes,
		entry(t, iceberg.EntryStatusADDED, iceberg.EntryContentPosDeletes, 2, l.uri("delete-1.parquet")))
	l.list(t, "list-1.avro", 1, added)
	// Only a manifest that is read from a list knows its sequence number.
	inherited, err := iceberg.ReadManifestList(bytes.NewReader(l.get(t, "list-1.avro")))
	if err != nil {
		t.Fatal(err)
	}
	l.list(t, "list-2.avro", 2, append(inherited, deleted, deletes)...)
	l.table = apply(t, base, join(l.snapshot(1, 0), setRef("main", 1, "")))
	l.table = apply(t, l.table, join(l.snapshot(2, 1), setRef("main", 2, ""),
		`{"action":"set-statistics","statistics":{"snapshot-id":2,"statistics-path":"`+l.uri("s.puffin")+`","file-size-in-bytes":1,
			"file-footer-size-in-bytes":1,"blob-metadata":[]}}`,
		`{"action":"set-partition-statistics","partition-statistics":{"snapshot-id":2,"statistics-path":"`+l.uri("p.parquet")+`","file-size-in-bytes":1}}`))
	return l
}

func (l *lake) uri(name string) string { return "file:" + filepath.Join(l.folder, name) }

func (l *lake) snapshot(id, parent int64) string {
	more := ""
	if parent != 0 {
		more = fmt.Sprintf(`,"parent-snapshot-id":%d`, parent)
	}
	return fmt.Sprintf(`{"action":"add-snapshot","snapshot":{"snapshot-id":%d,"sequence-number":%d,"timestamp-ms":%d,
		"manifest-list":%q,"summary":{"operation":"append"}%s}}`, id, id, start+id, l.uri(fmt.Sprintf("list-%d.avro", id)), more)
}

func entry(t *testing.T, status iceberg.ManifestEntryStatus, content iceberg.ManifestEntryContent, sequence int64, path string) iceberg.ManifestEntry {
	t.Helper()
	builder, err := iceberg.NewDataFileBuilder(*iceberg.UnpartitionedSpec, content, path, iceberg.ParquetFile, nil, nil, nil, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	id := sequence
	return iceberg.NewManifestEntryBuilder(status, &id, builder.Build()).SequenceNum(sequence).FileSequenceNum(sequence).Build()
}

func (l *lake) manifest(
	t *testing.T, name string, snapshot int64, content iceberg.ManifestContent, entries ...iceberg.ManifestEntry,
) iceberg.ManifestFile {
	t.Helper()
	var out bytes.Buffer
	schema := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.Int64Type{}, Required: true})
	writer, err := iceberg.NewManifestWriter(2, &out, *iceberg.UnpartitionedSpec, schema, snapshot, iceberg.WithManifestWriterContent(content))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		add := writer.Add
		if e.Status() == iceberg.EntryStatusDELETED {
			add = writer.Delete
		}
		if err := add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := writer.ToManifestFile(l.uri(name), int64(out.Len()), iceberg.WithManifestFileContent(content))
	if err != nil {
		t.Fatal(err)
	}
	l.put(t, name, out.Bytes())
	return file
}

func (l *lake) list(t *testing.T, name string, id int64, manifests ...iceberg.ManifestFile) {
	t.Helper()
	var out bytes.Buffer
	if err := iceberg.WriteManifestList(2, &out, id, nil, &id, 0, manifests); err != nil {
		t.Fatal(err)
	}
	l.put(t, name, out.Bytes())
}

func (l *lake) put(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(l.folder, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (l *lake) get(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(l.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestPurgeable(t *testing.T) {
	t.Parallel()
	l := layLake(t, `{}`)
	store := files.NewStore(nil)
	got, err := l.table.Purgeable(t.Context(), store.IO(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		l.uri("data-1.parquet"), l.uri("data-2.parquet"), l.uri("data-0.parquet"), l.uri("delete-1.parquet"),
		l.uri("m-added.avro"), l.uri("m-deleted.avro"), l.uri("m-deletes.avro"),
		l.uri("list-1.avro"), l.uri("list-2.avro"),
		l.uri("metadata/00000-00000000-0000-4000-8000-000000000002.metadata.json"),
		l.uri("metadata/00001-00000000-0000-4000-8000-000000000001.metadata.json"),
		l.uri("s.puffin"), l.uri("p.parquet"),
		l.uri("metadata/00002-00000000-0000-4000-8000-000000000001.metadata.json"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPurgeableWithoutGarbageCollection(t *testing.T) {
	t.Parallel()
	l := layLake(t, `{"gc.enabled":"no"}`)
	got, err := l.table.Purgeable(t.Context(), files.NewStore(nil).IO(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != l.uri("m-added.avro") {
		t.Errorf("data files are to stay, but the first to go is %s", got[0])
	}
}

func TestPurgeableToleratesWhatIsGone(t *testing.T) {
	t.Parallel()
	l := layLake(t, `{}`)
	for _, name := range []string{"list-2.avro", "m-added.avro"} {
		if err := os.Remove(filepath.Join(l.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.table.Purgeable(t.Context(), files.NewStore(nil).IO(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != l.uri("m-added.avro") || got[1] != l.uri("list-1.avro") || got[2] != l.uri("list-2.avro") {
		t.Errorf("got %v", got)
	}
}

func TestPurgeableReportsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	l := layLake(t, `{}`)
	l.put(t, "m-added.avro", []byte("no avro"))
	if got, err := l.table.Purgeable(t.Context(), files.NewStore(nil).IO(t.Context())); err == nil {
		t.Errorf("a broken manifest hides data files, yet: %v", got)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := layLake(t, `{}`).table.Purgeable(ended, iceio.LocalFS{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func filesUnder(t *testing.T, folder string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
