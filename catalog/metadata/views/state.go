package views

import (
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// onlyVersion is the one format version of views.
const onlyVersion = 1

// state is view metadata while a commit works on it. Members that have no field here are only in the object, which
// hands them on as they are.
type state struct {
	object *rawjson.Object

	uuid, location    string
	currentVersion    int
	schemas, versions *stored.List[int]
	log               *stored.List[int]
	properties        *rawjson.Object
	propertiesDirty   bool
	commit            progress
}

// progress is what a commit has done so far, apart from its effect on the metadata.
type progress struct {
	// now is the time of the commit in milliseconds.
	now int64
	// changed says that the metadata is to be written.
	changed bool
	// before is the version that was current when the commit began, nil for a new view.
	before *version
	// lastSchema and lastVersion are what -1 stands for; nil until something was added.
	lastSchema, lastVersion *int
	// added holds the times of the versions added.
	added map[int]int64
	// entry is what the version log gains, nil when the current version does not change.
	entry *stored.Item[int]
}

func emptyState() *state {
	return &state{
		object:     &rawjson.Object{},
		schemas:    &stored.List[int]{},
		versions:   &stored.List[int]{},
		log:        &stored.List[int]{},
		properties: &rawjson.Object{},
	}
}

// readState reads stored metadata. The error says which member is missing or malformed.
func readState(text []byte) (*state, error) {
	object, err := rawjson.Split(text)
	if err != nil {
		return nil, err
	}
	r := stored.NewReader(object)
	s := &state{
		object:         object.Clone(),
		uuid:           r.String("view-uuid"),
		location:       r.String("location"),
		currentVersion: r.Int32("current-version-id"),
		schemas:        r.List32("schemas", "schema-id"),
		versions:       r.List32("versions", "version-id"),
		log:            r.List32("version-log", "version-id"),
		properties:     r.Object("properties"),
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	s.commit.before, err = parseVersion(s.versions.Find(s.currentVersion))
	return s, err
}

// write brings the object up to date with the state. Only members whose value changed are written anew.
func (s *state) write() {
	s.put("view-uuid", rawjson.OfString(s.uuid))
	s.put("format-version", rawjson.OfInt(onlyVersion))
	s.put("location", rawjson.OfString(s.location))
	if s.propertiesDirty {
		s.object.Set("properties", s.properties.Text())
	}
	s.putList("schemas", s.schemas)
	s.put("current-version-id", rawjson.OfInt(s.currentVersion))
	s.putList("versions", s.versions)
	s.putList("version-log", s.log)
}

// put sets a member unless it means the same already.
func (s *state) put(member string, value rawjson.Value) {
	was, errWas := rawjson.Decode(s.object.Get(member))
	is, errIs := rawjson.Decode(value)
	if errWas != nil || errIs != nil || !rawjson.Same(was, is) {
		s.object.Set(member, value)
	}
}

func (s *state) putList(member string, list *stored.List[int]) {
	if list.Dirty || !s.object.Has(member) {
		s.object.Set(member, list.Text())
	}
}
