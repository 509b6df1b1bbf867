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

// readStatistics reads a statistics file of the table. The snapshot is the file's own; the update's snapshot-id is
// deprecated and does not count. What is missing here, or in a blob, Java's reader would refuse the whole table for.
func readStatistics(a *args) statisticsFile {
	file, inner := readStatisticsFile(a, "statistics")
	if inner == nil {
		return file
	}
	inner.Int64("file-footer-size-in-bytes")
	for _, text := range commits.Read(inner, "blob-metadata", rawjson.AsArray) {
		blob, err := rawjson.Split(text)
		if err != nil {
			inner.Fail("field blob-metadata: %w", err)
			break
		}
		members := commits.NewArgs("blob metadata", blob)
		members.String("type")
		members.Int64("snapshot-id")
		members.Int64("sequence-number")
		members.Int32s("fields")
		inner.Join(members)
	}
	a.Join(inner)
	return file
}

// readPartitionStatistics reads a statistics file of the table's partitions.
func readPartitionStatistics(a *args) statisticsFile {
	file, inner := readStatisticsFile(a, "partition-statistics")
	if inner != nil {
		a.Join(inner)
	}
	return file
}

// readStatisticsFile reads what both kinds have, and returns the file's members for more; nil if there is no file.
func readStatisticsFile(a *args, name string) (statisticsFile, *args) {
	file := a.Members(name)
	if file == nil {
		return statisticsFile{}, nil
	}
	inner := commits.NewArgs(name, file)
	snapshot := inner.Int64("snapshot-id")
	inner.String("statistics-path")
	inner.Int64("file-size-in-bytes")
	return statisticsFile{snapshot, a.Object().Get(name)}, inner
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
