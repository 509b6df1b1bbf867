package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// ref is a branch or a tag.
type ref struct {
	snapshot int64
	// kind is "branch" or "tag".
	kind string
	// object is all of it, retention and attributes of newer writers included.
	object *rawjson.Object
}

// retention are a ref's limits on what snapshot expiry may remove.
var retention = []struct {
	name string
	// most is the highest number that readers take.
	most int64
	// tags says that tags have it too.
	tags bool
}{
	{"min-snapshots-to-keep", math.MaxInt32, false},
	{"max-snapshot-age-ms", math.MaxInt64, false},
	{"max-ref-age-ms", math.MaxInt64, true},
}

// readRef reads the ref that an update sets: all of the update's members but its action and the ref's name.
func readRef(a *args) *ref {
	made := &ref{snapshot: a.Int64("snapshot-id"), kind: strings.ToLower(a.String("type")), object: &rawjson.Object{}}
	if a.Err() == nil && made.kind != "branch" && made.kind != "tag" {
		a.Fail("field type: expected branch or tag, got %s", made.kind)
	}
	made.object.Set("snapshot-id", rawjson.OfInt(made.snapshot))
	made.object.Set("type", rawjson.OfString(made.kind))
	for _, limit := range retention {
		value := commits.ReadOptional(a, limit.name, rawjson.AsInt64)
		switch {
		case value == nil:
		case *value <= 0:
			a.Fail("field %s: must be greater than 0", limit.name)
		case *value > limit.most:
			a.Fail("field %s: must not be greater than %d", limit.name, limit.most)
		case made.kind == "tag" && !limit.tags:
			a.Fail("tags do not support setting %s", limit.name)
		}
	}
	for _, name := range a.Object().Keys() {
		if !slices.Contains([]string{"action", "ref-name", "snapshot-id", "type"}, name) && a.Has(name) {
			made.object.Set(name, a.Object().Get(name))
		}
	}
	return made
}

// ref returns a ref by its name, or nil.
func (s *state) ref(name string) (*ref, error) {
	text := s.refs.Get(name)
	if text == nil {
		return nil, nil
	}
	object, err := rawjson.Split(text)
	if err != nil {
		return nil, fmt.Errorf("ref %s: %w", name, err)
	}
	r := stored.NewReader(object)
	found := &ref{snapshot: r.Int64("snapshot-id"), kind: r.String("type"), object: object}
	if r.Err() != nil {
		return nil, fmt.Errorf("ref %s: %w", name, r.Err())
	}
	return found, nil
}

// setRef points a ref at a snapshot. What the ref said of retention before is replaced with the rest.
func (s *state) setRef(name string, to *ref) error {
	existing, err := s.ref(name)
	if err != nil {
		return err
	}
	if existing != nil && existing.same(to) {
		return nil
	}
	if !s.snapshots.Has(to.snapshot) {
		return fault.New(fault.Invalid, "Cannot set %s to unknown snapshot: %d", name, to.snapshot)
	}
	if name == mainBranch {
		if to.kind != "branch" {
			return fault.New(fault.Invalid, "Cannot set %s to a tag, it must be a branch", name)
		}
		if err := s.logMain(to.snapshot); err != nil {
			return err
		}
		s.currentSnapshot = to.snapshot
	}
	s.refs.Set(name, to.object.Text())
	s.refsDirty, s.commit.changed = true, true
	return nil
}

func (r *ref) same(other *ref) bool {
	a, errA := rawjson.Decode(r.object.Text())
	b, errB := rawjson.Decode(other.object.Text())
	return errA == nil && errB == nil && rawjson.Same(a, b)
}

// removeRef removes a ref. Without main the table has no current snapshot, though its snapshots and its log stay: a
// table that is replaced keeps its history.
func (s *state) removeRef(name string) error {
	if !s.refs.Delete(name) {
		return nil
	}
	if name == mainBranch {
		s.currentSnapshot = noSnapshot
	}
	s.refsDirty, s.commit.changed = true, true
	return nil
}

// removeDanglingRefs removes the refs whose snapshot is gone.
func (s *state) removeDanglingRefs() error {
	for _, name := range slices.Clone(s.refs.Keys()) {
		ref, err := s.ref(name)
		if err != nil {
			return err
		}
		if ref != nil && !s.snapshots.Has(ref.snapshot) {
			if err := s.removeRef(name); err != nil {
				return err
			}
		}
	}
	return nil
}
