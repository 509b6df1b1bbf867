package tables

import (
	"encoding/json"
	"math"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// versionOfRowLineage is the first format version whose tables count their rows. Encryption keys came with it.
const versionOfRowLineage = 3

// snapshot is a snapshot that is being added: what iceberg-go reads of it, and the text.
type snapshot struct {
	table.Snapshot
	text rawjson.Value
}

// readSnapshot reads a snapshot. Its ids and times are read from the text, exactly; iceberg-go says whether the rest is
// a snapshot.
func readSnapshot(a *args) *snapshot {
	text := a.Value("snapshot")
	if a.Err() != nil {
		return nil
	}
	made := &snapshot{text: text}
	if err := json.Unmarshal(text, &made.Snapshot); err != nil {
		a.Fail("field snapshot: %w", err)
		return made
	}
	if made.ManifestList == "" && made.ManifestLocations == nil {
		a.Fail("field snapshot: missing field manifest-list")
	}
	made.text = withoutNulls(text)
	return made
}

// withoutNulls returns an object without the members that are null. To Java's reader a null parent is not the same as
// none: it refuses the table.
func withoutNulls(text rawjson.Value) rawjson.Value {
	object, err := rawjson.Split(text)
	if err != nil {
		return text
	}
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
	case s.snapshots.Has(made.SnapshotID):
		// The snapshot is probably there because this very commit was applied before. With this kind of answer a
		// client keeps the snapshot's files; with a plain bad request it would delete what the table points to.
		return fault.New(fault.IllegalArgument, "Snapshot already exists for id: %d", made.SnapshotID)
	}
	if err := s.checkSequence(made); err != nil {
		return err
	}
	if err := s.countRows(made); err != nil {
		return err
	}
	// A snapshot without a parent may carry a number that was used; the table's own never goes back.
	s.lastSequence = max(s.lastSequence, made.SequenceNumber)
	s.snapshots.Add(made.SnapshotID, made.text)
	s.commit.added[made.SnapshotID] = made.TimestampMs
	s.commit.changed = true
	return nil
}

func (s *state) checkSequence(made *snapshot) error {
	if s.version == 1 {
		if made.SequenceNumber != 0 {
			return fault.New(fault.Invalid, "Sequence number must be 0 in v1: %d", made.SequenceNumber)
		}
		return nil
	}
	if made.SequenceNumber < 0 {
		return fault.New(fault.Invalid, "Invalid sequence number: %d", made.SequenceNumber)
	}
	if made.SequenceNumber <= s.lastSequence && made.ParentSnapshotID != nil {
		return s.stale("Cannot add snapshot with sequence number %d older than last sequence number %d",
			made.SequenceNumber, s.lastSequence)
	}
	return nil
}

// countRows moves the table's next row id past the rows of a snapshot.
func (s *state) countRows(made *snapshot) error {
	if s.version < versionOfRowLineage {
		return nil
	}
	switch {
	case made.FirstRowID == nil:
		return fault.New(fault.Invalid, "Cannot add a snapshot: first-row-id is null")
	case made.AddedRows == nil:
		return fault.New(fault.Invalid, "Cannot add a snapshot: added-rows is null")
	case *made.AddedRows < 0:
		return fault.New(fault.Invalid, "Cannot add a snapshot: added-rows is negative: %d", *made.AddedRows)
	case *made.FirstRowID < s.nextRow:
		return s.stale("Cannot add a snapshot, first-row-id is behind table next-row-id: %d < %d",
			*made.FirstRowID, s.nextRow)
	case *made.FirstRowID > math.MaxInt64-*made.AddedRows:
		return fault.New(fault.Invalid, "Cannot add a snapshot: too many rows: %d + %d",
			*made.FirstRowID, *made.AddedRows)
	}
	// The specification wants a number higher than all assigned row ids, also when a writer left a gap.
	s.nextRow = *made.FirstRowID + *made.AddedRows
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
