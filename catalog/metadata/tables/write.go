package tables

import (
	"bytes"

	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// write brings the object up to date with the state. Only members whose value changed are written anew; all others, those unknown here
// among them, keep their text and their place.
func (s *state) write() {
	s.putInt("format-version", int64(s.version))
	if s.uuid != "" {
		s.put("table-uuid", rawjson.OfString(s.uuid))
	}
	s.put("location", rawjson.OfString(s.location))
	if s.version > 1 {
		s.putInt("last-sequence-number", s.lastSequence)
	}
	s.putInt("last-updated-ms", s.lastUpdated)
	s.putInt("last-column-id", int64(s.lastColumn))
	s.writeLegacy()
	s.putInt("current-schema-id", int64(s.currentSchema))
	putList(s, "schemas", s.schemas, true)
	s.putInt("default-spec-id", int64(s.defaultSpec))
	putList(s, "partition-specs", s.specs, true)
	s.putInt("last-partition-id", int64(s.lastPartition))
	s.putInt("default-sort-order-id", int64(s.defaultOrder))
	putList(s, "sort-orders", s.orders, true)
	if s.propertiesDirty || s.object.Get("properties") == nil {
		s.object.Set("properties", s.properties.Text())
	}
	s.writeCurrentSnapshot()
	if s.version >= versionOfRowLineage {
		s.putInt("next-row-id", s.nextRow)
	}
	putList(s, "encryption-keys", s.keys, false)
	if s.refsDirty || s.object.Get("refs") == nil {
		s.object.Set("refs", s.refs.Text())
	}
	putList(s, "snapshots", s.snapshots, true)
	putList(s, "statistics", s.statistics, true)
	putList(s, "partition-statistics", s.partitionStatistics, true)
	putList(s, "snapshot-log", s.snapshotLog, true)
	putList(s, "metadata-log", s.metadataLog, true)
}

// writeLegacy keeps up the two members that readers of version 1 look for, and drops them from later versions.
func (s *state) writeLegacy() {
	if s.version > 1 {
		s.object.Delete("schema")
		s.object.Delete("partition-spec")
		return
	}
	s.put("schema", s.schema())
	s.put("partition-spec", rawjson.Member(s.specs.Find(s.defaultSpec), "fields"))
}

// writeCurrentSnapshot writes the current snapshot, or that there is none: -1 where older readers insist on a number,
// and nothing at all from version 3 on.
func (s *state) writeCurrentSnapshot() {
	const member = "current-snapshot-id"
	switch {
	case s.currentSnapshot != noSnapshot:
		s.putInt(member, s.currentSnapshot)
	case s.version >= versionOfRowLineage:
		s.object.Delete(member)
	default:
		s.putInt(member, noSnapshot)
	}
}

func (s *state) putInt(member string, n int64) {
	if old, err := rawjson.AsInt64(s.object.Get(member)); err != nil || old != n {
		s.object.Set(member, rawjson.OfInt(n))
	}
}

// put sets a member unless it is the same text already, so that another spelling of the same string is not touched.
func (s *state) put(member string, value rawjson.Value) {
	old := s.object.Get(member)
	if bytes.Equal(old, value) {
		return
	}
	was, errWas := rawjson.AsString(old)
	is, errIs := rawjson.AsString(value)
	if errWas == nil && errIs == nil && was == is {
		return
	}
	s.object.Set(member, value)
}

// putList writes a list that changed, or that is not there and ought to be.
func putList[ID comparable](s *state, member string, l *stored.List[ID], always bool) {
	if l.Dirty || always && s.object.Get(member) == nil {
		s.object.Set(member, l.Text())
	}
}
