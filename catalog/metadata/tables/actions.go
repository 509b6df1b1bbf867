package tables

import (
	"github.com/onceberg/onceberg/catalog/metadata/commits"
)

type (
	args = commits.Args
	step = commits.Step[*state]
)

// language is what a commit to a table may say.
var language = &commits.Language[*state]{
	Noun:         "table",
	Requirements: requirements,
	Updates:      updates,
}

// updates are the update actions of the REST specification. Each reads its arguments and returns what it does; the
// doing is in the file of what it changes.
var updates = map[string]commits.Reader[*state]{
	"assign-uuid": func(a *args) step {
		uuid := a.String("uuid")
		return func(s *state) error { return s.assignUUID(uuid) }
	},
	"upgrade-format-version": func(a *args) step {
		version := a.Int32("format-version")
		return func(s *state) error { return s.upgrade(version) }
	},
	"add-schema": func(a *args) step {
		schema := a.Value("schema")
		return func(s *state) error { return s.addSchema(schema) }
	},
	"set-current-schema": func(a *args) step {
		id := a.Int32("schema-id")
		return func(s *state) error { return s.setCurrentSchema(id) }
	},
	"remove-schemas": func(a *args) step {
		ids := a.Int32s("schema-ids")
		return func(s *state) error { return s.removeSchemas(ids) }
	},
	"add-spec": func(a *args) step {
		spec := a.Value("spec")
		return func(s *state) error { return s.addSpec(spec) }
	},
	"set-default-spec": func(a *args) step {
		id := a.Int32("spec-id")
		return func(s *state) error { return s.setDefaultSpec(id) }
	},
	"remove-partition-specs": func(a *args) step {
		ids := a.Int32s("spec-ids")
		return func(s *state) error { return s.removeSpecs(ids) }
	},
	"add-sort-order": func(a *args) step {
		order := a.Value("sort-order")
		return func(s *state) error { return s.addOrder(order) }
	},
	"set-default-sort-order": func(a *args) step {
		id := a.Int32("sort-order-id")
		return func(s *state) error { return s.setDefaultOrder(id) }
	},
	"add-snapshot": func(a *args) step {
		snapshot := readSnapshot(a)
		return func(s *state) error { return s.addSnapshot(snapshot) }
	},
	"remove-snapshots": func(a *args) step {
		ids := a.Int64s("snapshot-ids")
		return func(s *state) error { return s.removeSnapshots(ids) }
	},
	"set-snapshot-ref": func(a *args) step {
		name, ref := a.String("ref-name"), readRef(a)
		return func(s *state) error { return s.setRef(name, ref) }
	},
	"remove-snapshot-ref": func(a *args) step {
		name := a.String("ref-name")
		return func(s *state) error { return s.removeRef(name) }
	},
	"set-properties": func(a *args) step {
		updates := a.Strings(a.Renamed("updates", "updated"))
		return func(s *state) error { return s.setProperties(updates) }
	},
	"remove-properties": func(a *args) step {
		removals := a.StringList(a.Renamed("removals", "removed"))
		return func(s *state) error { return s.removeProperties(removals) }
	},
	"set-location": func(a *args) step {
		location := a.String("location")
		return func(s *state) error { return s.setLocation(location) }
	},
	"set-statistics": func(a *args) step {
		file := readStatistics(a)
		return func(s *state) error { return s.setStatistics(s.statistics, file) }
	},
	"remove-statistics": func(a *args) step {
		id := a.Int64("snapshot-id")
		return func(s *state) error { return s.removeStatistics(s.statistics, id) }
	},
	"set-partition-statistics": func(a *args) step {
		file := readPartitionStatistics(a)
		return func(s *state) error { return s.setStatistics(s.partitionStatistics, file) }
	},
	"remove-partition-statistics": func(a *args) step {
		id := a.Int64("snapshot-id")
		return func(s *state) error { return s.removeStatistics(s.partitionStatistics, id) }
	},
	"add-encryption-key": func(a *args) step {
		key := a.Members("encryption-key")
		return func(s *state) error { return s.addKey(key) }
	},
	"remove-encryption-key": func(a *args) step {
		id := a.String("key-id")
		return func(s *state) error { return s.removeKey(id) }
	},
}
