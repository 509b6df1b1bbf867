package tables

import (
	"encoding/json"
	"slices"

	"github.com/apache/iceberg-go"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/schemas"
)

// addSpec adds a partition spec under the next free id, or finds the one that partitions in the same way.
func (s *state) addSpec(text rawjson.Value) error {
	spec, err := parseSpec(text)
	if err != nil {
		return err
	}
	schema, err := s.parsedSchema()
	if err != nil {
		return err
	}
	if err := spec.fit(schema); err != nil {
		return err
	}
	id, found, err := s.specID(spec)
	if err != nil {
		return err
	}
	s.commit.lastSpec = &id
	if found {
		return nil
	}
	last, err := s.numberFields(spec)
	if err != nil {
		return err
	}
	s.specs.Add(id, spec.text(id))
	s.lastPartition = max(s.lastPartition, last)
	s.commit.changed = true
	return nil
}

// parsedSchema returns the current schema as iceberg-go reads it.
func (s *state) parsedSchema() (*iceberg.Schema, error) {
	text := s.schema()
	if text == nil {
		return nil, fault.New(fault.Invalid, "Cannot bind to the current schema: no schema has been set")
	}
	return schemas.Parse(text)
}

// specID returns the id of a spec with the same fields, or else one more than the highest.
func (s *state) specID(spec *spec) (id int, found bool, err error) {
	for _, item := range s.specs.Items {
		other, err := parseSpec(item.Text)
		if err != nil {
			return 0, false, err
		}
		if spec.compatible(other) {
			return item.ID, true, nil
		}
		id = max(id, item.ID+1)
	}
	return id, false, nil
}

// numberFields gives ids to the fields that came without one and returns the highest id. From version 2 on a field that
// some earlier spec had keeps that spec's id, so that its values in older manifests stay readable as the same field.
func (s *state) numberFields(spec *spec) (int, error) {
	if s.version == 1 {
		return spec.numberInSequence()
	}
	var known []*specField
	for _, item := range s.specs.Items {
		other, err := parseSpec(item.Text)
		if err != nil {
			return 0, err
		}
		known = append(known, other.fields...)
	}
	next := s.lastPartition
	for _, field := range known {
		next = max(next, field.id)
	}
	return spec.number(known, next), nil
}

func (s *state) setDefaultSpec(id int) error {
	if id == lastAdded {
		if s.commit.lastSpec == nil {
			return fault.New(fault.Invalid, "Cannot set last added spec: no spec has been added")
		}
		id = *s.commit.lastSpec
	}
	if !s.specs.Has(id) {
		return fault.New(fault.IllegalArgument, "Cannot set default partition spec to unknown spec: %d", id)
	}
	if id != s.defaultSpec {
		s.defaultSpec = id
		s.commit.changed = true
	}
	return nil
}

func (s *state) removeSpecs(ids []int) error {
	if slices.Contains(ids, s.defaultSpec) {
		return fault.New(fault.IllegalArgument, "Cannot remove the default partition spec")
	}
	if s.specs.Remove(func(id int) bool { return slices.Contains(ids, id) }) {
		s.commit.changed = true
	}
	return nil
}

// spec is a partition spec that is being looked at or made.
type spec struct {
	object *rawjson.Object
	fields []*specField
}

// specField is one of its fields: what iceberg-go reads, and the text.
type specField struct {
	iceberg.PartitionField
	object *rawjson.Object
	// id is 0 while the field has none.
	id int
}

// parseSpec reads a partition spec that may be not bound yet: field ids may be missing and source ids be anything.
func parseSpec(text rawjson.Value) (*spec, error) {
	var parsed iceberg.UnboundPartitionSpec
	if err := json.Unmarshal(text, &parsed); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid partition spec: %w", err)
	}
	object, err := rawjson.Split(text)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid partition spec: %w", err)
	}
	fields, err := rawjson.AsArrayOf(object.Get("fields"), rawjson.Split)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid partition spec: fields: %w", err)
	}
	spec := &spec{object: object}
	for i, field := range fields {
		id := 0
		if field.Has("field-id") {
			if id, err = rawjson.AsInt32(field.Get("field-id")); err != nil {
				return nil, fault.New(fault.Invalid, "Invalid partition spec: field-id: %w", err)
			}
		}
		spec.fields = append(spec.fields, &specField{parsed.Field(i), field, id})
	}
	return spec, nil
}

// lastPartitionField returns the highest field id of a stored spec, 999 if it has no fields. Fields of the oldest
// writers carry no id and count from 1000.
func lastPartitionField(text rawjson.Value) (int, error) {
	spec, err := parseSpec(text)
	if err != nil {
		return 0, err
	}
	last := firstPartitionField - 1
	for i, field := range spec.fields {
		if field.id == 0 {
			field.id = firstPartitionField + i
		}
		last = max(last, field.id)
	}
	return last, nil
}

// text returns the spec under an id, with its fields' ids.
func (s *spec) text(id int) rawjson.Value {
	texts := make([]rawjson.Value, len(s.fields))
	for i, field := range s.fields {
		if old, err := rawjson.AsInt32(field.object.Get("field-id")); err != nil || old != field.id {
			field.object.Set("field-id", rawjson.OfInt(field.id))
		}
		texts[i] = field.object.Text()
	}
	s.object.Set("spec-id", rawjson.OfInt(id))
	s.object.Set("fields", rawjson.OfList(texts))
	return s.object.Text()
}
