package metadatatest

import (
	"bytes"
	"fmt"
)

// Start is when the first snapshot of a Grown table was made, in milliseconds since 1970. Each is a millisecond younger
// than the one before.
const Start = int64(1_700_000_000_000)

// SnapshotID is the id of a snapshot of a Grown table: the first is number 1. Like those of engines it has 19 digits.
func SnapshotID(number int) int64 { return int64(1)<<62 + int64(number) }

// Grown returns the metadata of a table that was appended to so many times, at least once, each snapshot with the summary
// that engines write. Its format version is 2, and the branch main points to the last snapshot.
func Grown(location string, snapshots int) []byte {
	var list, log bytes.Buffer
	for number := 1; number <= snapshots; number++ {
		id, at := SnapshotID(number), Start+int64(number)-1
		parent := ""
		if number > 1 {
			list.WriteByte(',')
			log.WriteByte(',')
			parent = fmt.Sprintf(`"parent-snapshot-id":%d,`, SnapshotID(number-1))
		}
		fmt.Fprintf(&list, `{"sequence-number":%d,"snapshot-id":%d,%s"timestamp-ms":%d,"summary":{"operation":"append",`+
			`"added-data-files":"1","added-records":"1000","added-files-size":"123456","changed-partition-count":"1",`+
			`"total-records":"%d","total-files-size":"1234567890","total-data-files":"%d","total-delete-files":"0",`+
			`"total-position-deletes":"0","total-equality-deletes":"0"},"manifest-list":"%s/metadata/`+
			`snap-%d-1-0b1a2c3d-4e5f-6789-abcd-ef0123456789.avro","schema-id":0}`,
			number, id, parent, at, number*1000, number, location, id)
		fmt.Fprintf(&log, `{"timestamp-ms":%d,"snapshot-id":%d}`, at, id)
	}
	last := SnapshotID(snapshots)
	return fmt.Appendf(nil, `{"format-version":2,"table-uuid":"0b1a2c3d-4e5f-4789-abcd-ef0123456789","location":%q,`+
		`"last-sequence-number":%d,"last-updated-ms":%d,"last-column-id":2,"current-schema-id":0,"schemas":[{"type":"struct",`+
		`"schema-id":0,"fields":[{"id":1,"name":"id","required":true,"type":"long"},{"id":2,"name":"data","required":false,`+
		`"type":"string"}]}],"default-spec-id":0,"partition-specs":[{"spec-id":0,"fields":[]}],"last-partition-id":999,`+
		`"default-sort-order-id":0,"sort-orders":[{"order-id":0,"fields":[]}],"properties":{"owner":"etl"},`+
		`"current-snapshot-id":%d,"refs":{"main":{"snapshot-id":%d,"type":"branch"}},"snapshots":[%s],"statistics":[],`+
		`"partition-statistics":[],"snapshot-log":[%s],"metadata-log":[]}`,
		location, snapshots, Start+int64(snapshots)-1, last, last, list.Bytes(), log.Bytes())
}
