package tables

import (
	"slices"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/schemas"
)

// lastAdded stands, in a request, for the id of what the same request added last.
const lastAdded = -1

// addSchema adds a schema under the next free id, or finds the equal one that is there. Column ids are the client's:
// they are not assigned anew, and the table's last column id follows the highest of them.
func (s *state) addSchema(text rawjson.Value) error {
	schema, err := schemas.Parse(text)
	if err != nil {
		return err
	}
	if err := schemas.Fit(schema, s.version); err != nil {
		return err
	}
	id, found, err := s.schemaID(text)
	if err != nil {
		return err
	}
	s.commit.lastSchema = &id
	if found {
		return nil
	}
	if text, err = schemas.WithID(text, id); err != nil {
		return err
	}
	s.schemas.Add(id, text)
	s.lastColumn = max(s.lastColumn, schema.HighestFieldID())
	s.commit.changed = true
	return nil
}

// schemaID returns the id of an equal schema, or else one more than the highest.
func (s *state) schemaID(text rawjson.Value) (id int, found bool, err error) {
	shape, err := schemas.ShapeOf(text)
	if err != nil {
		return 0, false, err
	}
	for _, item := range s.schemas.Items {
		other, err := schemas.ShapeOf(item.Text)
		if err != nil {
			return 0, false, err
		}
		if shape.Same(other) {
			return item.ID, true, nil
		}
		id = max(id, item.ID+1)
	}
	return id, false, nil
}

func (s *state) setCurrentSchema(id int) error {
	if id == lastAdded {
		if s.commit.lastSchema == nil {
			return fault.New(fault.Invalid, "Cannot set last added schema: no schema has been added")
		}
		id = *s.commit.lastSchema
	}
	if !s.schemas.Has(id) {
		return fault.New(fault.IllegalArgument, "Cannot set current schema to unknown schema: %d", id)
	}
	if id != s.currentSchema {
		s.currentSchema = id
		s.commit.changed = true
	}
	return nil
}

func (s *state) removeSchemas(ids []int) error {
	if slices.Contains(ids, s.currentSchema) {
		return fault.New(fault.IllegalArgument, "Cannot remove the current schema")
	}
	if s.schemas.Remove(func(id int) bool { return slices.Contains(ids, id) }) {
		s.commit.changed = true
	}
	return nil
}
