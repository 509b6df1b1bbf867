package tables

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// reserved are property names that steer a request and are never stored.
var reserved = []string{
	"format-version", "uuid", "snapshot-count", "current-snapshot-id", "current-snapshot-summary",
	"current-snapshot-timestamp-ms", "current-schema", "default-partition-spec", "default-sort-order",
}

// isReserved tells whether a property steers a request and is never stored.
func isReserved(key string) bool { return slices.Contains(reserved, key) }

func (s *state) setProperties(updates *rawjson.Object) error {
	if properties.Set(s.properties, updates, isReserved) {
		s.propertiesDirty, s.commit.changed = true, true
	}
	return nil
}

func (s *state) removeProperties(keys []string) error {
	if properties.Remove(s.properties, keys) {
		s.propertiesDirty, s.commit.changed = true, true
	}
	return nil
}

func (s *state) setLocation(location string) error {
	if location == "" {
		return fault.New(fault.IllegalArgument, "Invalid location: empty")
	}
	if location != s.location {
		s.location = location
		s.commit.changed = true
	}
	return nil
}

// assignUUID gives a table its uuid, once. Readers rely on it to notice that a table was dropped and made again under
// the same name.
func (s *state) assignUUID(id string) error {
	if _, err := uuid.Parse(id); err != nil || len(id) != len(uuid.Nil.String()) {
		return fault.New(fault.IllegalArgument, "Invalid uuid: %s", id)
	}
	if strings.EqualFold(id, s.uuid) {
		return nil
	}
	if s.uuid != "" {
		return fault.New(fault.IllegalArgument, "Cannot reassign uuid: table has %s", s.uuid)
	}
	s.uuid = id
	s.commit.changed = true
	return nil
}

// upgrade raises the format version. The members that a later version demands are written with the metadata.
func (s *state) upgrade(version int) error {
	switch {
	case version > newestVersion:
		return fault.New(fault.IllegalArgument,
			"Cannot upgrade table to unsupported format version: v%d (supported: v%d)", version, newestVersion)
	case version < s.version:
		return fault.New(fault.IllegalArgument, "Cannot downgrade v%d table to v%d", s.version, version)
	case version == s.version:
		return nil
	}
	if s.uuid == "" {
		s.uuid = s.commit.newUUID()
	}
	s.version = version
	s.commit.changed, s.commit.upgraded = true, true
	return nil
}
