package schemas

import (
	"errors"
	"fmt"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Numbered is a schema whose columns got fresh ids.
type Numbered struct {
	// Text is the schema, with schema-id 0.
	Text rawjson.Value
	// IDs leads from the id a column had in the request to its fresh one.
	IDs map[int]int
	// Last is the highest id given, 0 for a schema without columns.
	Last int
}

// Number gives the columns of a new table fresh ids from 1: all direct fields of a struct first, then the inside of
// each field in turn; a list's element before the inside of the element; a map's key and value before the inside of
// either. Ids in a request are placeholders (Spark counts from 0), so nothing else may be kept from them but which
// column they meant.
func Number(text rawjson.Value) (*Numbered, error) {
	numbering := &numbering{ids: map[int]int{}}
	schema, err := numbering.schema(text)
	if err != nil {
		var known *fault.Error
		if errors.As(err, &known) {
			return nil, known
		}
		return nil, fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	return &Numbered{Text: schema, IDs: numbering.ids, Last: numbering.last}, nil
}

type numbering struct {
	ids  map[int]int
	last int
}

func (n *numbering) schema(text rawjson.Value) (rawjson.Value, error) {
	schema, err := rawjson.Split(text)
	if err != nil {
		return nil, err
	}
	if err := n.fields(schema); err != nil {
		return nil, err
	}
	if identifiers := schema.Get("identifier-field-ids"); identifiers != nil {
		renumbered, err := rawjson.AsArrayOf(identifiers, n.lookUp)
		if err != nil {
			return nil, fault.New(fault.IllegalArgument, "Invalid identifier-field-ids: %w", err)
		}
		schema.Set("identifier-field-ids", rawjson.OfList(renumbered))
	}
	schema.Set("schema-id", rawjson.OfInt(0))
	return schema.Text(), nil
}

func (n *numbering) lookUp(text rawjson.Value) (rawjson.Value, error) {
	id, err := rawjson.AsInt32(text)
	if err != nil {
		return nil, err
	}
	fresh, ok := n.ids[id]
	if !ok {
		return nil, fmt.Errorf("cannot add fieldId %d as an identifier field: field does not exist", id)
	}
	return rawjson.OfInt(fresh), nil
}

// fields numbers the fields of a struct (or a schema), then what is inside each.
func (n *numbering) fields(owner *rawjson.Object) error {
	objects, err := rawjson.AsArrayOf(owner.Get("fields"), func(text rawjson.Value) (*rawjson.Object, error) {
		field, err := rawjson.Split(text)
		if err != nil {
			return nil, err
		}
		return field, n.renumber(field, "id")
	})
	if err != nil {
		return fmt.Errorf("fields: %w", err)
	}
	texts := make([]rawjson.Value, len(objects))
	for i, field := range objects {
		if err := n.inside(field, "type"); err != nil {
			return fmt.Errorf("field %s: %w", field.Get("name"), err)
		}
		texts[i] = field.Text()
	}
	owner.Set("fields", rawjson.OfList(texts))
	return nil
}

// inside numbers a type that has an inside, and leaves any other as it is.
func (n *numbering) inside(owner *rawjson.Object, member string) error {
	text := owner.Get(member)
	nested, err := rawjson.Split(text)
	if err != nil {
		// A type's name, or something that iceberg-go will refuse in better words.
		return nil
	}
	name, err := rawjson.AsString(nested.Get("type"))
	if err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	if err := n.nested(name, nested); err != nil {
		return err
	}
	owner.Set(member, nested.Text())
	return nil
}

func (n *numbering) nested(name string, nested *rawjson.Object) error {
	switch name {
	case "struct":
		return n.fields(nested)
	case "list":
		if err := n.renumber(nested, "element-id"); err != nil {
			return err
		}
		return n.inside(nested, "element")
	case "map":
		if err := n.renumber(nested, "key-id"); err != nil {
			return err
		}
		if err := n.renumber(nested, "value-id"); err != nil {
			return err
		}
		if err := n.inside(nested, "key"); err != nil {
			return err
		}
		return n.inside(nested, "value")
	}
	return fmt.Errorf("unknown nested type %q", name)
}

func (n *numbering) renumber(owner *rawjson.Object, member string) error {
	id, err := rawjson.AsInt32(owner.Get(member))
	if err != nil {
		return fmt.Errorf("%s: %w", member, err)
	}
	if _, taken := n.ids[id]; taken {
		return fmt.Errorf("multiple fields for id %d", id)
	}
	n.last++
	n.ids[id] = n.last
	owner.Set(member, rawjson.OfInt(n.last))
	return nil
}
