package tables_test

import (
	"fmt"
	"testing"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/metadatatest"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// grown returns a table of that many snapshots.
func grown(b *testing.B, snapshots int) *tables.Table {
	b.Helper()
	return register(b, string(metadatatest.Grown(location, snapshots)))
}

// BenchmarkCommit appends a snapshot: requirements, updates, iceberg-go's check and the text of the result.
func BenchmarkCommit(b *testing.B) {
	for _, snapshots := range []int{1, 1000, 5000} {
		b.Run(fmt.Sprint("snapshots=", snapshots), func(b *testing.B) {
			base := grown(b, snapshots)
			last := metadatatest.SnapshotID(snapshots)
			body := []byte(`{"requirements":[{"type":"assert-table-uuid","uuid":"0b1a2c3d-4e5f-4789-abcd-ef0123456789"},` +
				fmt.Sprintf(`{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":%d}],"updates":[`, last) +
				join(snapshot(7, last, int64(snapshots+1), start+int64(snapshots)), setRef("main", 7, "")) + `]}`)
			b.SetBytes(int64(len(base.Metadata)))
			for b.Loop() {
				commit, err := tables.ParseCommit(body)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := commit.Apply(base, at(start+int64(snapshots)), uuids()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkShown trims a table to the snapshots that refs point to, as loadTable does with snapshots=refs.
func BenchmarkShown(b *testing.B) {
	for _, snapshots := range []int{1000, 5000} {
		b.Run(fmt.Sprint("snapshots=", snapshots), func(b *testing.B) {
			base := grown(b, snapshots)
			b.SetBytes(int64(len(base.Metadata)))
			for b.Loop() {
				if _, err := base.Shown(tables.Refs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParse is iceberg-go reading the same table, to compare with.
func BenchmarkParse(b *testing.B) {
	base := grown(b, 1000)
	b.SetBytes(int64(len(base.Metadata)))
	for b.Loop() {
		if _, err := table.ParseMetadataBytes(base.Metadata); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCreate makes a table.
func BenchmarkCreate(b *testing.B) {
	for b.Loop() {
		create(b, 2)
	}
}
