package views

import (
	"slices"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/schemas"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// lastAdded stands, in a request, for the id of what the same request added last.
const lastAdded = -1

// addSchema adds a schema under the next free id, or finds the equal one that is there.
func (s *state) addSchema(text rawjson.Value) error {
	if _, err := schemas.Parse(text); err != nil {
		return err
	}
	shape, err := schemas.ShapeOf(text)
	if err != nil {
		return err
	}
	id := 0
	for _, item := range s.schemas.Items {
		other, err := schemas.ShapeOf(item.Text)
		if err != nil {
			return err
		}
		if shape.Same(other) {
			s.commit.lastSchema = &item.ID
			return nil
		}
		id = max(id, item.ID+1)
	}
	if text, err = schemas.WithID(text, id); err != nil {
		return err
	}
	s.schemas.Add(id, text)
	s.commit.lastSchema = &id
	s.commit.changed = true
	return nil
}

// addVersion adds a version, or finds the one that is there and behaves alike. The id that the client sent is kept if it
// is higher than any other: a client that worked on an older state of the view gets the next free one.
func (s *state) addVersion(text rawjson.Value) error {
	made, err := parseVersion(text)
	if err != nil {
		return err
	}
	if made.schema == lastAdded {
		if s.commit.lastSchema == nil {
			return fault.New(fault.Invalid, "Cannot set last added schema: no schema has been added")
		}
		made.schema = *s.commit.lastSchema
	}
	if !s.schemas.Has(made.schema) {
		return fault.New(fault.IllegalArgument, "Cannot add version with unknown schema: %d", made.schema)
	}
	if err := made.check(); err != nil {
		return err
	}
	for _, item := range s.versions.Items {
		other, err := parseVersion(item.Text)
		if err != nil {
			return err
		}
		if made.same(other) {
			s.commit.lastVersion = &item.ID
			return nil
		}
		made.id = max(made.id, item.ID+1)
	}
	if made.id < 1 {
		return fault.New(fault.Invalid, "Invalid view version: version-id must be positive: %d", made.id)
	}
	if made.time == nil {
		made.time = &s.commit.now
	}
	s.versions.Add(made.id, made.text())
	s.commit.added[made.id] = *made.time
	s.commit.lastVersion = &made.id
	s.commit.changed = true
	return nil
}

// setCurrentVersion makes a version current and prepares its entry in the version log: at the version's own time if
// this commit added it, else now, for a version that is brought back.
func (s *state) setCurrentVersion(id int) error {
	if id == lastAdded {
		if s.commit.lastVersion == nil {
			return fault.New(fault.Invalid, "Cannot set last version id: no current version id has been set")
		}
		id = *s.commit.lastVersion
	}
	if !s.versions.Has(id) {
		return fault.New(fault.IllegalArgument, "Cannot set current version to unknown version: %d", id)
	}
	if id == s.currentVersion {
		return nil
	}
	at, added := s.commit.added[id]
	if !added {
		at = s.commit.now
	}
	entry := &rawjson.Object{}
	entry.Set("timestamp-ms", rawjson.OfInt(at))
	entry.Set("version-id", rawjson.OfInt(id))
	s.commit.entry = &stored.Item[int]{ID: id, Text: entry.Text()}
	s.currentVersion = id
	s.commit.changed = true
	return nil
}

const (
	dropDialectAllowed = "replace.drop-dialect.allowed"
	historySize        = "version.history.num-entries"
	historyDefault     = 10
)

// settle finishes a commit: the version log gets its entry, no dialect may have been lost, and old versions go.
func (s *state) settle() error {
	if s.commit.entry != nil {
		s.log.Add(s.commit.entry.ID, s.commit.entry.Text)
	}
	if err := s.checkDialects(); err != nil {
		return err
	}
	size, err := properties.Int(s.properties, historySize, historyDefault)
	if err != nil {
		return err
	}
	if size <= 0 {
		return fault.New(fault.IllegalArgument, "%s must be positive but was %d", historySize, size)
	}
	s.expire(size)
	return nil
}

// checkDialects refuses a commit after which an engine that could read the view no longer can, unless the view allows
// that.
func (s *state) checkDialects() error {
	if s.commit.before == nil || properties.Bool(s.properties, dropDialectAllowed, false) {
		return nil
	}
	current, err := parseVersion(s.versions.Find(s.currentVersion))
	if err != nil {
		return err
	}
	for _, dialect := range s.commit.before.dialects {
		if !slices.Contains(current.dialects, dialect) {
			return fault.New(fault.IllegalArgument, "Cannot replace view due to loss of view dialects (%s=false):\n"+
				"Previous dialects: %v\nNew dialects: %v",
				dropDialectAllowed, s.commit.before.dialects, current.dialects)
		}
	}
	return nil
}

// expire keeps the current version and the versions this commit added, however many, and of the others the latest by id,
// up to so many in all. The log loses what comes before any version that is gone.
func (s *state) expire(size int) {
	if len(s.versions.Items) <= size {
		return
	}
	kept := map[int]bool{s.currentVersion: true}
	for id := range s.commit.added {
		kept[id] = true
	}
	ids := make([]int, 0, len(s.versions.Items))
	for _, item := range s.versions.Items {
		ids = append(ids, item.ID)
	}
	slices.Sort(ids)
	for _, id := range slices.Backward(ids) {
		if len(kept) < size {
			kept[id] = true
		}
	}
	s.versions.Remove(func(id int) bool { return !kept[id] })

	start := 0
	for i, entry := range s.log.Items {
		if !kept[entry.ID] {
			start = i + 1
		}
	}
	if start > 0 {
		s.log.Items = slices.Clone(s.log.Items[start:])
		s.log.Dirty = true
	}
}
