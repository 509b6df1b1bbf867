package schemas

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/apache/iceberg-go"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Parse reads a schema and checks that it holds together: known types, unique field ids and full names, and identifier
// fields that can identify a row. The error is a fault of kind Invalid or IllegalArgument.
func Parse(text rawjson.Value) (*iceberg.Schema, error) {
	schema := new(iceberg.Schema)
	if err := json.Unmarshal(text, schema); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	if _, err := iceberg.IndexByName(schema); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	if err := checkFields(schema); err != nil {
		return nil, err
	}
	if err := checkIdentifiers(schema); err != nil {
		return nil, err
	}
	return schema, nil
}

// checkFields refuses what iceberg-go takes and other implementations do not: ids of more than 32 bits, and defaults
// that are no values of their column.
func checkFields(schema *iceberg.Schema) error {
	fields, err := fieldsOf(schema)
	if err != nil {
		return err
	}
	for _, field := range fields {
		if field.ID < 0 || field.ID > math.MaxInt32 {
			return fault.New(fault.Invalid, "Invalid schema: field %s has id %d", field.Name, field.ID)
		}
		if err := checkDefaults(field); err != nil {
			return err
		}
	}
	return nil
}

// fieldsOf returns all fields of a schema, nested ones too, by id.
func fieldsOf(schema *iceberg.Schema) ([]iceberg.NestedField, error) {
	fields, err := schema.FlatFields()
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	return slices.SortedFunc(fields, func(a, b iceberg.NestedField) int { return cmp.Compare(a.ID, b.ID) }), nil
}

// WithID returns the schema under another id. The rest of its text stays.
func WithID(text rawjson.Value, id int) (rawjson.Value, error) {
	object, err := rawjson.Split(text)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	object.Set("schema-id", rawjson.OfInt(id))
	return object.Text(), nil
}

// checkIdentifiers holds identifier-field-ids against the rules of the table spec: required primitives that are not
// floating point, nested in nothing but required structs.
func checkIdentifiers(schema *iceberg.Schema) error {
	if len(schema.IdentifierFieldIDs) == 0 {
		return nil
	}
	parents, err := iceberg.IndexParents(schema)
	if err != nil {
		return fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	for _, id := range schema.IdentifierFieldIDs {
		if err := checkIdentifier(schema, parents, id); err != nil {
			return err
		}
	}
	return nil
}

func checkIdentifier(schema *iceberg.Schema, parents map[int]int, id int) error {
	field, ok := schema.FindFieldByID(id)
	if !ok {
		return fault.New(fault.IllegalArgument,
			"Cannot add fieldId %d as an identifier field: field does not exist", id)
	}
	refuse := func(why string) error {
		return fault.New(fault.IllegalArgument, "Cannot add field %s as an identifier field: %s", field.Name, why)
	}
	if _, primitive := field.Type.(iceberg.PrimitiveType); !primitive {
		return refuse("not a primitive type field")
	}
	if !field.Required {
		return refuse("not a required field")
	}
	switch field.Type.(type) {
	case iceberg.Float32Type, iceberg.Float64Type:
		return refuse("must not be float or double field")
	}
	for parent, nested := parents[id]; nested; parent, nested = parents[parent] {
		outer, _ := schema.FindFieldByID(parent)
		if _, isStruct := outer.Type.(*iceberg.StructType); !isStruct {
			return refuse("must not be nested in " + outer.String())
		}
		if !outer.Required {
			return refuse("must not be nested in an optional field " + outer.String())
		}
	}
	return nil
}
