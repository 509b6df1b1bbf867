package views

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

type (
	args = commits.Args
	step = commits.Step[*state]
)

// language is what a commit to a view may say.
var language = &commits.Language[*state]{
	Noun: "view",
	Requirements: map[string]commits.Reader[*state]{
		"assert-view-uuid": func(a *args) step {
			id := a.String("uuid")
			return func(s *state) error { return s.requireUUID(id) }
		},
	},
	Updates: map[string]commits.Reader[*state]{
		"assign-uuid": func(a *args) step {
			id := a.String("uuid")
			return func(s *state) error { return s.assignUUID(id) }
		},
		"upgrade-format-version": func(a *args) step {
			version := a.Int32("format-version")
			return func(*state) error { return checkFormatVersion(version) }
		},
		"add-schema": func(a *args) step {
			schema := a.Value("schema")
			return func(s *state) error { return s.addSchema(schema) }
		},
		"set-location": func(a *args) step {
			location := a.String("location")
			return func(s *state) error { return s.setLocation(location) }
		},
		"set-properties": func(a *args) step {
			updates := a.Strings(a.Renamed("updates", "updated"))
			return func(s *state) error { return s.setProperties(updates) }
		},
		"remove-properties": func(a *args) step {
			removals := a.StringList(a.Renamed("removals", "removed"))
			return func(s *state) error { return s.removeProperties(removals) }
		},
		"add-view-version": func(a *args) step {
			version := a.Value("view-version")
			return func(s *state) error { return s.addVersion(version) }
		},
		"set-current-view-version": func(a *args) step {
			id := a.Int32("view-version-id")
			return func(s *state) error { return s.setCurrentVersion(id) }
		},
	},
}

func (s *state) requireUUID(id string) error {
	if strings.EqualFold(id, s.uuid) {
		return nil
	}
	return fault.New(fault.CommitFailed, "Requirement failed: view UUID does not match: expected %s != %s", s.uuid, id)
}

func (s *state) assignUUID(id string) error {
	if _, err := uuid.Parse(id); err != nil || len(id) != len(uuid.Nil.String()) {
		return fault.New(fault.IllegalArgument, "Invalid uuid: %s", id)
	}
	if !strings.EqualFold(id, s.uuid) {
		return fault.New(fault.IllegalArgument, "Cannot reassign uuid")
	}
	return nil
}

func checkFormatVersion(version int) error {
	switch {
	case version < onlyVersion:
		return fault.New(fault.IllegalArgument, "Cannot downgrade v%d view to v%d", onlyVersion, version)
	case version > onlyVersion:
		return fault.New(fault.IllegalArgument, "Unsupported format version: %d", version)
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

func (s *state) setProperties(updates *rawjson.Object) error {
	if properties.Set(s.properties, updates, isReserved) {
		s.propertiesDirty, s.commit.changed = true, true
	}
	return nil
}

func (s *state) removeProperties(keys []string) error {
	if properties.Remove(s.properties, slices.Clone(keys)) {
		s.propertiesDirty, s.commit.changed = true, true
	}
	return nil
}

// isReserved tells whether a property is never stored. Views have no such property.
func isReserved(string) bool { return false }
