package tables

import (
	"strings"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// assertCreate is the one requirement about a table that must not exist.
const assertCreate = "assert-create"

// requirements are what a commit may demand of the state it is applied to. Their texts are compared by compatibility
// kits, so they are the reference's.
var requirements = map[string]commits.Reader[*state]{
	assertCreate: func(*args) step {
		return func(s *state) error {
			if s.commit.creating {
				return nil
			}
			return requirementFailed("table already exists")
		}
	},
	"assert-table-uuid": func(a *args) step {
		uuid := a.String("uuid")
		return func(s *state) error {
			if strings.EqualFold(uuid, s.uuid) {
				return nil
			}
			return requirementFailed("UUID does not match: expected %s != %s", s.uuid, uuid)
		}
	},
	"assert-ref-snapshot-id": func(a *args) step {
		name := a.String("ref")
		id := commits.ReadOptional(a, "snapshot-id", rawjson.AsInt64)
		return func(s *state) error { return s.requireRef(name, id) }
	},
	"assert-last-assigned-field-id": requireID("last-assigned-field-id", "last assigned field id changed",
		func(s *state) int { return s.lastColumn }),
	"assert-current-schema-id": requireID("current-schema-id", "current schema changed",
		func(s *state) int { return s.currentSchema }),
	"assert-last-assigned-partition-id": requireID("last-assigned-partition-id", "last assigned partition id changed",
		func(s *state) int { return s.lastPartition }),
	"assert-default-spec-id": requireID("default-spec-id", "default partition spec changed",
		func(s *state) int { return s.defaultSpec }),
	"assert-default-sort-order-id": requireID("default-sort-order-id", "default sort order changed",
		func(s *state) int { return s.defaultOrder }),
}

// requireID makes the reader of a requirement that an id is what the client knew.
func requireID(field, complaint string, actual func(*state) int) commits.Reader[*state] {
	return func(a *args) step {
		expected := a.Int32(field)
		return func(s *state) error {
			if actual(s) == expected {
				return nil
			}
			return requirementFailed("%s: expected id %d != %d", complaint, expected, actual(s))
		}
	}
}

// requireRef checks that a ref points to the snapshot, or, without one, that there is no such ref.
func (s *state) requireRef(name string, expected *int64) error {
	ref, err := s.ref(name)
	switch {
	case err != nil:
		return err
	case ref == nil && expected == nil:
		return nil
	case ref == nil:
		return requirementFailed("branch or tag %s is missing, expected %d", name, *expected)
	case expected == nil:
		return requirementFailed("%s %s was created concurrently", ref.kind, name)
	case ref.snapshot != *expected:
		return requirementFailed("%s %s has changed: expected id %d != %d", ref.kind, name, *expected, ref.snapshot)
	}
	return nil
}

func requirementFailed(format string, a ...any) error {
	return fault.New(fault.CommitFailed, "Requirement failed: "+format, a...)
}
