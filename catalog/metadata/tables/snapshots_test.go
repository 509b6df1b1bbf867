package tables_test

import (
	"fmt"
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

func TestAddSnapshot(t *testing.T) {
	t.Parallel()
	const big = 9007199254740993
	made := apply(t, create(t, 2), join(
		fmt.Sprintf(`{"action":"add-snapshot","snapshot":%s}`, snapshotText(big, 0, 1, start+500,
			`,"key-id":"k1","from-a-newer-engine":{"x":9007199254740995}`)),
		setRef("main", big, "")))
	expect(t, made, "9007199254740993", "current-snapshot-id")
	expect(t, made, "1", "last-sequence-number")
	expect(t, made, `"k1"`, "snapshots", 0, "key-id")
	expect(t, made, "9007199254740995", "snapshots", 0, "from-a-newer-engine", "x")
	expect(t, made, `{"main":{"snapshot-id":9007199254740993,"type":"branch"}}`, "refs")
	expect(t, made, `[{"snapshot-id":9007199254740993,"timestamp-ms":1700000000500}]`, "snapshot-log")
	expect(t, made, fmt.Sprint(start+1000), "last-updated-ms")
}

func TestAddSnapshotRefused(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(snapshot(1, 0, 5, start), setRef("main", 1, "")))
	refused(t, base, snapshot(1, 0, 6, start), fault.IllegalArgument, "Snapshot already exists for id: 1")
	const stale = "Validation failed, please retry: Cannot add snapshot with sequence number 5 older than last sequence number 5"
	refused(t, base, snapshot(2, 1, 5, start), fault.CommitFailed, stale)
	refused(t, base, snapshot(2, 0, -1, start), fault.Invalid, "Invalid sequence number: -1")
	refused(t, create(t, 1), snapshot(2, 0, 1, start), fault.Invalid, "Sequence number must be 0 in v1: 1")

	// Without a parent an old number is accepted, and the table's own does not go back.
	made := apply(t, base, snapshot(2, 0, 3, start))
	expect(t, made, "5", "last-sequence-number")
	refused(t, made, snapshot(3, 1, 4, start), fault.CommitFailed, "Validation failed, please retry")
}

func TestSnapshotsThatJavaCouldNotRead(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	made := apply(t, base, `{"action":"add-snapshot","snapshot":{"snapshot-id":1,"parent-snapshot-id":null,"sequence-number":1,
		"timestamp-ms":1700000000000,"manifest-list":"l","summary":{"operation":"append"},"first-row-id":null}}`)
	expect(t, made, `{"manifest-list":"l","sequence-number":1,"snapshot-id":1,"summary":{"operation":"append"},"timestamp-ms":1700000000000}`,
		"snapshots", 0)
	refused(t, base, `{"action":"add-snapshot","snapshot":{"snapshot-id":1,"sequence-number":1,"timestamp-ms":1700000000000}}`, fault.Invalid,
		"Invalid snapshot: missing field manifest-list")
	apply(t, create(t, 1), `{"action":"add-snapshot","snapshot":{"snapshot-id":1,"timestamp-ms":1700000000000,"manifests":["m"]}}`)
}

// iceberg-go, like encoding/json, reads names of any case; the engine goes by the names that others read.
func TestSnapshotsAreReadByTheirExactNames(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), snapshot(1, 0, 1, start))
	refused(t, base, `{"action":"add-snapshot","snapshot":{"snapshot-id":1,"SNAPSHOT-ID":2,"sequence-number":2,
		"timestamp-ms":1700000000000,"manifest-list":"l"}}`, fault.IllegalArgument, "Snapshot already exists for id: 1")
}

func TestAddSnapshotNeedsATable(t *testing.T) {
	t.Parallel()
	create := func(updates string) error {
		commit, err := tables.ParseCommit([]byte(`{"requirements":[{"type":"assert-create"}],"updates":[` + updates + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = commit.Apply(nil, at(start), uuids())
		return err
	}
	mustBe(t, create(snapshot(1, 0, 1, start)), fault.Invalid, "before a schema is added")
	schema := join(addSchema(twoColumns), currentIsLast)
	mustBe(t, create(join(schema, snapshot(1, 0, 1, start))), fault.Invalid, "before a partition spec is added")
	mustBe(t, create(join(schema, addSpec(""), snapshot(1, 0, 1, start))), fault.Invalid, "before a sort order is added")
}

func TestRowLineage(t *testing.T) {
	t.Parallel()
	base := create(t, 3)
	made := apply(t, base, join(rows(1, 0, 1, start, 0, 100), setRef("main", 1, "")))
	expect(t, made, "100", "next-row-id")
	made = apply(t, made, join(rows(2, 1, 2, start, 100, 0), setRef("main", 2, "")))
	expect(t, made, "100", "next-row-id")

	refused(t, made, rows(3, 2, 3, start, 99, 5), fault.CommitFailed,
		"Validation failed, please retry: Cannot add a snapshot, first-row-id is behind table next-row-id: 99 < 100")
	refused(t, made, snapshot(3, 2, 3, start), fault.Invalid, "Cannot add a snapshot: first-row-id is null")
	refused(t, made, fmt.Sprintf(`{"action":"add-snapshot","snapshot":%s}`, snapshotText(3, 2, 3, start, `,"first-row-id":100`)),
		fault.Invalid, "added-rows is null")
	refused(t, made, rows(3, 2, 3, start, 100, -1), fault.Invalid, "added-rows is negative: -1")
	refused(t, made, rows(3, 2, 3, start, 1<<62, 1<<62), fault.Invalid, "too many rows")

	// A gap in front is jumped over: no row id may be given twice.
	made = apply(t, made, rows(4, 2, 3, start, 150, 10))
	expect(t, made, "160", "next-row-id")
}

func TestSetSnapshotRef(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(snapshot(1, 0, 1, start), snapshot(2, 1, 2, start+1), setRef("main", 1, "")))
	made := apply(t, base, setRef("audit", 2, `,"min-snapshots-to-keep":3,"max-snapshot-age-ms":9007199254740993,"max-ref-age-ms":5,"owner":"x"`))
	expect(t, made, `{"max-ref-age-ms":5,"max-snapshot-age-ms":9007199254740993,"min-snapshots-to-keep":3,"owner":"x","snapshot-id":2,"type":"branch"}`,
		"refs", "audit")
	unchanged(t, made, setRef("audit", 2, `,"max-ref-age-ms":5,"owner":"x","max-snapshot-age-ms":9007199254740993,"min-snapshots-to-keep":3`))
	unchanged(t, made, setRef("main", 1, `,"max-ref-age-ms":null`))
	made = apply(t, made, `{"action":"set-snapshot-ref","ref-name":"audit","type":"TAG","snapshot-id":2}`)
	expect(t, made, `{"snapshot-id":2,"type":"tag"}`, "refs", "audit")

	refused(t, base, setRef("x", 9, ""), fault.Invalid, "Cannot set x to unknown snapshot: 9")
	refused(t, base, `{"action":"set-snapshot-ref","ref-name":"main","type":"tag","snapshot-id":1}`, fault.Invalid,
		"Cannot set main to a tag, it must be a branch")
}

func TestRollBackIsLoggedNow(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(snapshot(1, 0, 1, start), setRef("main", 1, "")))
	base = apply(t, base, join(snapshot(2, 1, 2, start+1), setRef("main", 2, "")))
	made := apply(t, base, setRef("main", 1, ""))
	expect(t, made, fmt.Sprintf(`[{"snapshot-id":1,"timestamp-ms":%d},{"snapshot-id":2,"timestamp-ms":%d},{"snapshot-id":1,"timestamp-ms":%d}]`,
		start, start+1, start+1000), "snapshot-log")
}

func TestSnapshotsMainOnlyInPassingAreNotLogged(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(snapshot(1, 0, 1, start), setRef("main", 1, "")))
	made := apply(t, base, join(snapshot(2, 1, 2, start+1), setRef("main", 2, ""), snapshot(3, 2, 3, start+2), setRef("main", 3, "")))
	expect(t, made, fmt.Sprintf(`[{"snapshot-id":1,"timestamp-ms":%d},{"snapshot-id":3,"timestamp-ms":%d}]`, start, start+2), "snapshot-log")
	expect(t, made, "3", "last-sequence-number")
}

func TestRemoveSnapshots(t *testing.T) {
	t.Parallel()
	statistics := `{"action":"set-statistics","snapshot-id":2,"statistics":{"snapshot-id":2,"statistics-path":"s","file-size-in-bytes":1,"file-footer-size-in-bytes":1,"blob-metadata":[]}}`
	partition := `{"action":"set-partition-statistics","partition-statistics":{"snapshot-id":2,"statistics-path":"p","file-size-in-bytes":1}}`
	base := create(t, 2)
	for id := int64(1); id <= 3; id++ {
		base = apply(t, base, join(snapshot(id, id-1, id, start+id), setRef("main", id, "")))
	}
	base = apply(t, base, join(setRef("old", 2, ""), statistics, partition))
	made := apply(t, base, `{"action":"remove-snapshots","snapshot-ids":[2,77]}`)
	expect(t, made, "3", "snapshots", 1, "snapshot-id")
	expect(t, made, fmt.Sprintf(`[{"snapshot-id":3,"timestamp-ms":%d}]`, start+3), "snapshot-log")
	expect(t, made, `{"main":{"snapshot-id":3,"type":"branch"}}`, "refs")
	expect(t, made, "[]", "statistics")
	expect(t, made, "[]", "partition-statistics")
	unchanged(t, made, `{"action":"remove-snapshots","snapshot-ids":[2]}`)

	// Without its snapshot main goes, and the table has no current snapshot.
	made = apply(t, made, `{"action":"remove-snapshots","snapshot-ids":[3]}`)
	expect(t, made, "-1", "current-snapshot-id")
	expect(t, made, "{}", "refs")
	expect(t, made, "[]", "snapshot-log")
	expect(t, made, "1", "snapshots", 0, "snapshot-id")
}

func TestRemoveSnapshotRef(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 3), join(rows(1, 0, 1, start, 0, 1), setRef("main", 1, "")))
	made := apply(t, base, `{"action":"remove-snapshot-ref","ref-name":"main"}`)
	expect(t, made, "", "current-snapshot-id")
	expect(t, made, "{}", "refs")
	expect(t, made, fmt.Sprintf(`[{"snapshot-id":1,"timestamp-ms":%d}]`, start), "snapshot-log")
	expect(t, made, "1", "snapshots", 0, "snapshot-id")
	unchanged(t, made, `{"action":"remove-snapshot-ref","ref-name":"main"}`)
}

func TestClocksOfWriters(t *testing.T) {
	t.Parallel()
	// A writer whose clock is an hour ahead moves the table's time with it, so that the table stays readable.
	ahead := apply(t, create(t, 2), join(snapshot(1, 0, 1, start+3_600_000), setRef("main", 1, "")))
	expect(t, ahead, fmt.Sprint(start+3_600_000), "last-updated-ms")
	made := apply(t, ahead, `{"action":"set-properties","updates":{"a":"b"}}`)
	expect(t, made, fmt.Sprint(start+3_600_000), "last-updated-ms")
	// One that is a minute behind is in step; further behind, its snapshots would be out of order.
	apply(t, ahead, join(snapshot(2, 1, 2, start+3_540_000), setRef("main", 2, "")))
	refused(t, ahead, join(snapshot(2, 1, 2, start+3_539_999), setRef("main", 2, "")), fault.Invalid,
		"Invalid snapshot timestamp 1700003539999: before last snapshot log entry at 1700003600000")
}
