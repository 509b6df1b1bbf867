package tables

import (
	"encoding/json"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// statisticsFile is a statistics file of either kind: what it belongs to, and its text.
type statisticsFile struct {
	snapshot int64
	text     rawjson.Value
}

// readStatistics reads a statistics file. The snapshot is the file's own; the update's snapshot-id is deprecated and
// does not count.
func readStatistics(a *args, name string) statisticsFile {
	file := a.Members(name)
	if file == nil {
		return statisticsFile{}
	}
	inner := commits.NewArgs(name, file)
	snapshot := inner.Int64("snapshot-id")
	inner.String("statistics-path")
	inner.Int64("file-size-in-bytes")
	a.Join(inner)
	return statisticsFile{snapshot, a.Object().Get(name)}
}

func (s *state) setStatistics(files *stored.List[int64], file statisticsFile) error {
	files.Put(file.snapshot, file.text)
	s.commit.changed = true
	return nil
}

func (s *state) removeStatistics(files *stored.List[int64], snapshot int64) error {
	if files.Remove(func(id int64) bool { return id == snapshot }) {
		s.commit.changed = true
	}
	return nil
}

// addKey adds an encryption key. A key that is there already stays as it is: keys are never replaced in place.
func (s *state) addKey(key *rawjson.Object) error {
	if s.version < versionOfRowLineage {
		return fault.New(fault.Invalid, "Encryption keys are not supported until v%d", versionOfRowLineage)
	}
	args := commits.NewArgs("encryption key", key)
	id := args.String("key-id")
	args.String("encrypted-key-metadata")
	if err := args.Err(); err != nil {
		return err
	}
	var parsed table.EncryptionKey
	if err := json.Unmarshal(key.Text(), &parsed); err != nil {
		return fault.New(fault.Invalid, "Invalid encryption key: %w", err)
	}
	if !s.keys.Has(id) {
		s.keys.Add(id, key.Text())
		s.commit.changed = true
	}
	return nil
}

func (s *state) removeKey(id string) error {
	if s.keys.Remove(func(other string) bool { return other == id }) {
		s.commit.changed = true
	}
	return nil
}
