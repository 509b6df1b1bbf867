package tables

import (
	"encoding/json"
	"math"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// versionOfRowLineage is the first format version whose tables count their rows. Encryption keys came with it.
const versionOfRowLineage = 3

// snapshot is a snapshot that is being added.
type snapshot struct {
	id, at, sequence int64
	// parent, firstRow and addedRows are nil when the snapshot has none.
	parent, firstRow, addedRows *int64
	text                        rawjson.Value
}

// readSnapshot reads a snapshot. What the engine goes by it reads from the text, by exact names and digits; iceberg-go
// says whether the rest is a snapshot.
func readSnapshot(a *args) *snapshot {
	object := a.Members("snapshot")
	if object == nil {
		return nil
	}
	inner := commits.NewArgs("snapshot", object)
	made := &snapshot{
		id:        inner.Int64("snapshot-id"),
		at:        inner.Int64("timestamp-ms"),
		parent:    commits.ReadOptional(inner, "parent-snapshot-id", rawjson.AsInt64),
		firstRow:  commits.ReadOptional(inner, "first-row-id", rawjson.AsInt64),
		addedRows: commits.ReadOptional(inner, "added-rows", rawjson.AsInt64),
		text:      withoutNulls(object, a.Object().Get("snapshot")),
	}
	if sequence := commits.ReadOptional(inner, "sequence-number", rawjson.AsInt64); sequence != nil {
		made.sequence = *sequence
	}
	if !inner.Has("manifests") {
		inner.String("manifest-list")
	}
	a.Join(inner)
	if err := json.Unmarshal(made.text, new(table.Snapshot)); err != nil {
		a.Fail("field snapshot: %w", err)
	}
	return made
}

// withoutNulls returns an object's text without the members that are null. To Java's reader a null parent is not the
// same as none: it refuses the table.
func withoutNulls(object *rawjson.Object, text rawjson.Value) rawjson.Value {
	kept := &rawjson.Object{}
	for _, name := range object.Keys() {
		if value := object.Get(name); value != nil {
			kept.Set(name, value)
		}
	}
	if kept.Len() == object.Len() {
		return text
	}
	return kept.Text()
}

// addSnapshot adds a snapshot. One that was made from an older state than this is no mistake of its maker: the answer
// tells the client to refresh and try again.
func (s *state) addSnapshot(made *snapshot) error {
	switch {
	case len(s.schemas.Items) == 0:
		return fault.New(fault.Invalid, "Attempting to add a snapshot before a schema is added")
	case len(s.specs.Items) == 0:
		return fault.New(fault.Invalid, "Attempting to add a snapshot before a partition spec is added")
	case len(s.orders.Items) == 0:
		return fault.New(fault.Invalid, "Attempting to add a snapshot before a sort order is added")
	case s.snapshots.Has(made.id):
		// The snapshot is probably there because this very commit was applied before. With this kind of answer a
		// client keeps the snapshot's files; with a plain bad request it would delete what the table points to.
		return fault.New(fault.IllegalArgument, "Snapshot already exists for id: %d", made.id)
	}
	if err := s.checkSequence(made); err != nil {
		return err
	}
	if err := s.countRows(made); err != nil {
		return err
	}
	// A snapshot without a parent may carry a number that was used; the table's own never goes back.
	s.lastSequence = max(s.lastSequence, made.sequence)
	s.snapshots.Add(made.id, made.text)
	s.commit.added[made.id] = made.at
	s.commit.changed = true
	return nil
}

func (s *state) checkSequence(made *snapshot) error {
	if s.version == 1 {
		if made.sequence != 0 {
			return fault.New(fault.Invalid, "Sequence number must be 0 in v1: %d", made.sequence)
		}
		return nil
	}
	if made.sequence < 0 {
		return fault.New(fault.Invalid, "Invalid sequence number: %d", made.sequence)
	}
	if made.sequence <= s.lastSequence && made.parent != nil {
		return s.stale("Cannot add snapshot with sequence number %d older than last sequence number %d",
			made.sequence, s.lastSequence)
	}
	return nil
}

// countRows moves the table's next row id past the rows of a snapshot.
func (s *state) countRows(made *snapshot) error {
	if s.version < versionOfRowLineage {
		return nil
	}
	switch {
	case made.firstRow == nil:
		return fault.New(fault.Invalid, "Cannot add a snapshot: first-row-id is null")
	case made.addedRows == nil:
		return fault.New(fault.Invalid, "Cannot add a snapshot: added-rows is null")
	case *made.addedRows < 0:
		return fault.New(fault.Invalid, "Cannot add a snapshot: added-rows is negative: %d", *made.addedRows)
	case *made.firstRow < s.nextRow:
		return s.stale("Cannot add a snapshot, first-row-id is behind table next-row-id: %d < %d",
			*made.firstRow, s.nextRow)
	case *made.firstRow > math.MaxInt64-*made.addedRows:
		return fault.New(fault.Invalid, "Cannot add a snapshot: too many rows: %d + %d",
			*made.firstRow, *made.addedRows)
	}
	// The specification wants a number higher than all assigned row ids, also when a writer left a gap.
	s.nextRow = *made.firstRow + *made.addedRows
	return nil
}

// stale returns the fault of a commit that was built on an older state. A table that does not exist yet has none, so
// there the numbers are simply wrong.
func (s *state) stale(format string, a ...any) error {
	if s.commit.creating {
		return fault.New(fault.Invalid, format, a...)
	}
	return fault.New(fault.CommitFailed, "Validation failed, please retry: "+format, a...)
}

// removeSnapshots removes snapshots with their statistics and the refs that pointed to them. Ids that are not there are
// passed over. The snapshot log follows at the end of the commit.
func (s *state) removeSnapshots(ids []int64) error {
	gone := make(map[int64]bool, len(ids))
	for _, id := range ids {
		gone[id] = true
	}
	if !s.snapshots.Remove(func(id int64) bool { return gone[id] }) {
		return nil
	}
	s.statistics.Remove(func(id int64) bool { return gone[id] })
	s.partitionStatistics.Remove(func(id int64) bool { return gone[id] })
	s.commit.removed, s.commit.changed = true, true
	return s.removeDanglingRefs()
}
