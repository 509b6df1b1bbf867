package tables

import (
	"slices"

	"github.com/apache/iceberg-go"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// compatible tells whether two specs partition in the same way: the same fields in the same order, whatever their ids.
func (s *spec) compatible(other *spec) bool {
	return slices.EqualFunc(s.fields, other.fields, func(a, b *specField) bool {
		return rawjson.Same(a.shape(), b.shape())
	})
}

// shape is all of a field but its id, attributes of newer writers included.
func (f *specField) shape() rawjson.Node {
	object := f.object.Clone()
	object.Delete("field-id")
	object.Set("transform", rawjson.OfString(f.Transform.String()))
	node, err := rawjson.Decode(object.Text())
	if err != nil {
		return nil
	}
	return node
}

// sameSource tells whether two fields derive the same value from the same columns.
func (f *specField) sameSource(other *specField) bool {
	return slices.Equal(f.SourceIDs, other.SourceIDs) && f.Transform.Equals(other.Transform)
}

// number gives ids to the fields that have none and returns the highest id of all: that of a known field with the same
// source which no other field of this spec uses, or the next after the last one.
func (s *spec) number(known []*specField, last int) int {
	taken := map[int]bool{}
	for _, field := range s.fields {
		taken[field.id] = true
		last = max(last, field.id)
	}
	for _, field := range s.fields {
		if field.id != 0 {
			continue
		}
		for _, old := range known {
			if old.id != 0 && !taken[old.id] && field.sameSource(old) {
				field.id = old.id
			}
		}
		if field.id == 0 {
			last++
			field.id = last
		}
		taken[field.id] = true
	}
	return last
}

// numberInSequence holds a spec of a version 1 table to the ids that its readers assume: 1000 for the first field and
// one more for each that follows.
func (s *spec) numberInSequence() (int, error) {
	last := firstPartitionField - 1
	for _, field := range s.fields {
		last++
		if field.id == 0 {
			field.id = last
		}
		if field.id != last {
			return 0, fault.New(fault.Invalid,
				"Spec does not use sequential IDs that are required in v1: field %s has %d instead of %d",
				field.Name, field.id, last)
		}
	}
	return last, nil
}

// fit tells whether the spec can partition rows of the schema.
func (s *spec) fit(schema *iceberg.Schema) error {
	parents, err := iceberg.IndexParents(schema)
	if err != nil {
		return fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	for _, field := range s.fields {
		if err := field.fitName(schema); err != nil {
			return err
		}
		// A void field stands for one that was dropped, whose column may be gone.
		if _, void := field.Transform.(iceberg.VoidTransform); void {
			continue
		}
		for _, source := range field.SourceIDs {
			if err := field.fitSource(schema, parents, source); err != nil {
				return err
			}
		}
	}
	return nil
}

// fitName refuses a field that is named like a column it is not made from.
func (f *specField) fitName(schema *iceberg.Schema) error {
	if _, exists := schema.FindFieldByID(f.SourceID()); !exists {
		return nil
	}
	if column, clash := schema.FindFieldByName(f.Name); clash && column.ID != f.SourceID() {
		return fault.New(fault.IllegalArgument,
			"Cannot create identity partition sourced from different field in schema: %s", f.Name)
	}
	return nil
}

func (f *specField) fitSource(schema *iceberg.Schema, parents map[int]int, source int) error {
	column, ok := schema.FindFieldByID(source)
	if !ok {
		return fault.New(fault.Invalid, "Cannot find source column for partition field: %s", f.describe())
	}
	if _, primitive := column.Type.(iceberg.PrimitiveType); !primitive {
		return fault.New(fault.Invalid, "Cannot partition by non-primitive source field: %s", column.Type)
	}
	if !f.Transform.CanTransform(column.Type) {
		return fault.New(fault.Invalid, "Invalid source type %s for transform: %s", column.Type, f.Transform)
	}
	for parent, nested := parents[source]; nested; parent, nested = parents[parent] {
		outer, _ := schema.FindFieldByID(parent)
		if _, isStruct := outer.Type.(*iceberg.StructType); !isStruct {
			return fault.New(fault.Invalid, "Invalid partition field parent: %s", outer.Type)
		}
	}
	return nil
}

func (f *specField) describe() string {
	field := f.PartitionField
	field.FieldID = f.id
	return field.String()
}
