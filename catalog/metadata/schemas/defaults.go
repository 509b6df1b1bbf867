package schemas

import (
	"math"

	"github.com/apache/iceberg-go"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// checkDefaults refuses default values of another kind than their column. iceberg-go keeps a default as whatever JSON
// holds; Java's reader refuses the whole table for a wrong one.
func checkDefaults(field iceberg.NestedField) error {
	for _, value := range []any{field.InitialDefault, field.WriteDefault} {
		if value != nil && !isKind(field.Type, value) {
			return fault.New(fault.Invalid, "Invalid default for %s: cannot parse %v as a %s value",
				field.Name, value, field.Type)
		}
	}
	return nil
}

// isKind tells whether a value is of the JSON kind in which the specification writes values of a type. Nested types are
// left to iceberg-go.
func isKind(t iceberg.Type, value any) bool {
	switch t.(type) {
	case iceberg.BooleanType:
		_, ok := value.(bool)
		return ok
	case iceberg.Int32Type, iceberg.Int64Type:
		number, ok := value.(float64)
		return ok && number == math.Trunc(number)
	case iceberg.Float32Type, iceberg.Float64Type:
		_, ok := value.(float64)
		return ok
	case iceberg.PrimitiveType:
		_, ok := value.(string)
		return ok
	}
	return true
}
