package catalog_test

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog"
)

// A deletion vector of which nobody can tell the data file is an error: without
// it, the rows that it deletes would be planned.
func TestPlanRefusesVectorsWithoutDataFile(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.table("t", false, iceberg.Properties{
		"format-version": "3", table.WriteDeleteModeKey: table.WriteModeMergeOnRead,
	})
	made = l.append(made, row(1, "a", "2024-01-01"), row(2, "a", "2024-01-01"))
	before := *made.CurrentSnapshot()
	made = l.remove(made, "position-deletes", 2)
	l.plan("t", `{}`)

	l.forgetDataFiles(made)
	a := l.do(http.MethodPost, tablePath("t")+"/plan", `{}`)
	if a.status != http.StatusNotAcceptable || !strings.Contains(a.message(), "does not name its data file") {
		t.Errorf("%d %s", a.status, a.message())
	}
	if r := l.plan("t", `{"snapshot-id":`+jsonOf(before.SnapshotID)+`}`); len(r.Tasks) != 1 {
		t.Errorf("the snapshot without it: %+v", r)
	}
}

// forgetDataFiles writes the manifests of a table's deletion vectors anew, without
// the names of their data files.
func (l *lake) forgetDataFiles(from *table.Table) {
	l.t.Helper()
	fs, err := from.FS(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	manifests, err := from.CurrentSnapshot().Manifests(fs)
	if err != nil {
		l.t.Fatal(err)
	}
	spec := from.Spec()
	for _, m := range manifests {
		if m.ManifestContent() != iceberg.ManifestContentDeletes {
			continue
		}
		var content bytes.Buffer
		w, err := iceberg.NewManifestWriter(3, &content, spec, from.Schema(), m.SnapshotID(),
			iceberg.WithManifestWriterContent(iceberg.ManifestContentDeletes))
		if err != nil {
			l.t.Fatal(err)
		}
		for e, err := range m.Entries(fs, true) {
			if err != nil {
				l.t.Fatal(err)
			}
			old := e.DataFile()
			b, err := iceberg.NewDataFileBuilder(spec, old.ContentType(), old.FilePath(), old.FileFormat(), nil, nil, nil, old.Count(), old.FileSizeBytes())
			if err != nil {
				l.t.Fatal(err)
			}
			b.ContentOffset(*old.ContentOffset()).ContentSizeInBytes(*old.ContentSizeInBytes())
			id := e.SnapshotID()
			if err := w.Add(iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &id, nil, nil, b.Build())); err != nil {
				l.t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			l.t.Fatal(err)
		}
		if err := os.WriteFile(path(m.FilePath()), content.Bytes(), 0o600); err != nil {
			l.t.Fatal(err)
		}
	}
}
