package tables

import (
	"slices"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// clockSkew is how far, in milliseconds, a log entry may lie before the one it follows: writers' clocks differ.
const clockSkew = 60_000

// logMain notes in the snapshot log that main was set to a snapshot: at the snapshot's own time if this commit added it,
// else now.
func (s *state) logMain(id int64) error {
	at, added := s.commit.added[id]
	if !added {
		at = s.commit.now
	}
	if last := s.lastLogged(); at < last-clockSkew {
		return fault.New(fault.Invalid,
			"Invalid snapshot timestamp %d: before last snapshot log entry at %d", at, last)
	}
	entry := &rawjson.Object{}
	entry.Set("timestamp-ms", rawjson.OfInt(at))
	entry.Set("snapshot-id", rawjson.OfInt(id))
	s.snapshotLog.Add(id, entry.Text())
	s.commit.madeMain = append(s.commit.madeMain, id)
	return nil
}

// lastLogged returns the time of the last entry in the snapshot log, 0 for an empty one.
func (s *state) lastLogged() int64 {
	if len(s.snapshotLog.Items) == 0 {
		return 0
	}
	return timeOf(s.snapshotLog.Items[len(s.snapshotLog.Items)-1].Text)
}

func timeOf(entry rawjson.Value) int64 {
	at, err := rawjson.AsInt64(rawjson.Member(entry, "timestamp-ms"))
	if err != nil {
		return 0
	}
	return at
}

// settleSnapshotLog corrects the snapshot log at the end of a commit. Snapshots that this commit added and made main
// only in passing were never current, so they leave the log. A removed snapshot takes all entries before its own with
// it: with a gap in it, the log would tell a time traveller that an older snapshot was current when it was not.
func (s *state) settleSnapshotLog() error {
	passing := map[int64]bool{}
	for _, id := range s.commit.madeMain {
		if _, added := s.commit.added[id]; added && id != s.currentSnapshot {
			passing[id] = true
		}
	}
	if len(passing) == 0 && !s.commit.removed {
		return nil
	}
	existing := make(map[int64]bool, len(s.snapshots.Items))
	for _, snapshot := range s.snapshots.Items {
		existing[snapshot.ID] = true
	}
	kept := make([]stored.Item[int64], 0, len(s.snapshotLog.Items))
	for _, entry := range s.snapshotLog.Items {
		switch {
		case !existing[entry.ID] && s.commit.removed:
			kept = kept[:0]
		case existing[entry.ID] && !passing[entry.ID]:
			kept = append(kept, entry)
		}
	}
	s.snapshotLog.Items, s.snapshotLog.Dirty = kept, true
	if s.currentSnapshot != noSnapshot && len(kept) > 0 && kept[len(kept)-1].ID != s.currentSnapshot {
		return fault.New(fault.Invalid, "Cannot set invalid snapshot log: latest entry is not the current snapshot")
	}
	return nil
}

const (
	previousVersionsMax     = "write.metadata.previous-versions-max"
	previousVersionsDefault = 100
	deleteAfterCommit       = "write.metadata.delete-after-commit.enabled"
)

// logMetadata adds the file that this commit supersedes to the metadata log and cuts the log to its length, both by the
// properties as this commit leaves them. It returns the files that fell off and are to be deleted, if the table wants
// that.
func (s *state) logMetadata(superseded string, at int64) (expired []string, err error) {
	most, err := properties.Int(s.properties, previousVersionsMax, previousVersionsDefault)
	if err != nil {
		return nil, err
	}
	entry := &rawjson.Object{}
	entry.Set("timestamp-ms", rawjson.OfInt(at))
	entry.Set("metadata-file", rawjson.OfString(superseded))
	s.metadataLog.Add(superseded, entry.Text())

	surplus := max(0, len(s.metadataLog.Items)-max(1, most))
	dropped := s.metadataLog.Items[:surplus]
	s.metadataLog.Items = slices.Clone(s.metadataLog.Items[surplus:])
	if !properties.Bool(s.properties, deleteAfterCommit, false) {
		return nil, nil
	}
	for _, entry := range dropped {
		if !s.metadataLog.Has(entry.ID) {
			expired = append(expired, entry.ID)
		}
	}
	return expired, nil
}
