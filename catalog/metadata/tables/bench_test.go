package tables_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// grown returns a table of that many snapshots, each with the summary of an ordinary append.
func grown(b *testing.B, snapshots int) *tables.Table {
	b.Helper()
	base := create(b, 2)
	var list, log bytes.Buffer
	for i := range snapshots {
		id := int64(1)<<62 + int64(i)
		if i > 0 {
			list.WriteByte(',')
			log.WriteByte(',')
		}
		fmt.Fprintf(&list, `{"sequence-number":%d,"snapshot-id":%d,"timestamp-ms":%d,"summary":{"operation":"append",`+
			`"added-data-files":"1","added-records":"1000","added-files-size":"123456","changed-partition-count":"1",`+
			`"total-records":"%d","total-files-size":"1234567890","total-data-files":"%d","total-delete-files":"0",`+
			`"total-position-deletes":"0","total-equality-deletes":"0"},"manifest-list":"s3://bucket/warehouse/db/table/`+
			`metadata/snap-%d-1-0b1a2c3d-4e5f-6789-abcd-ef0123456789.avro","schema-id":0}`, i+1, id, start+int64(i), i*1000, i, id)
		fmt.Fprintf(&log, `{"timestamp-ms":%d,"snapshot-id":%d}`, start+int64(i), id)
	}
	last := int64(1)<<62 + int64(snapshots-1)
	text := bytes.Replace(base.Metadata, []byte(`"snapshots":[]`), fmt.Appendf(nil, `"snapshots":[%s]`, list.Bytes()), 1)
	text = bytes.Replace(text, []byte(`"snapshot-log":[]`), fmt.Appendf(nil, `"snapshot-log":[%s]`, log.Bytes()), 1)
	text = bytes.Replace(text, []byte(`"refs":{}`), fmt.Appendf(nil, `"refs":{"main":{"snapshot-id":%d,"type":"branch"}}`, last), 1)
	text = bytes.Replace(text, []byte(`"current-snapshot-id":-1`), fmt.Appendf(nil, `"current-snapshot-id":%d`, last), 1)
	text = bytes.Replace(text, []byte(`"last-sequence-number":0`), fmt.Appendf(nil, `"last-sequence-number":%d`, snapshots), 1)
	return register(b, string(text))
}

// BenchmarkCommit appends a snapshot: requirements, updates, iceberg-go's check and the text of the result.
func BenchmarkCommit(b *testing.B) {
	for _, snapshots := range []int{1, 1000, 5000} {
		b.Run(fmt.Sprint("snapshots=", snapshots), func(b *testing.B) {
			base := grown(b, snapshots)
			last := int64(1)<<62 + int64(snapshots-1)
			body := []byte(`{"requirements":[{"type":"assert-table-uuid","uuid":"00000000-0000-4000-8000-000000000001"},` +
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
