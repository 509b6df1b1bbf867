package schemas

import (
	"fmt"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// versionOfDefaults is the first format version in which a column may have an initial default.
const versionOfDefaults = 3

// Fit tells whether a table of that format version can hold the schema: types and initial defaults that came with a
// later version are refused, all of them named in one error. Rules that hold in every version (unknown columns are
// optional, row lineage ids are reserved) are iceberg-go's.
func Fit(schema *iceberg.Schema, version int) error {
	fields, err := fieldsOf(schema)
	if err != nil {
		return err
	}
	var problems []string
	for _, field := range fields {
		name, _ := schema.FindColumnName(field.ID)
		if since := typeSince(field.Type); version < since {
			problems = append(problems, fmt.Sprintf("Invalid type for %s: %s is not supported until v%d",
				name, field.Type, since))
		}
		if field.InitialDefault != nil && version < versionOfDefaults {
			problems = append(problems, fmt.Sprintf(
				"Invalid initial default for %s: non-null default (%v) is not supported until v%d",
				name, field.InitialDefault, versionOfDefaults))
		}
	}
	if len(problems) > 0 {
		return fault.New(fault.Invalid, "Invalid schema for v%d:\n- %s", version, strings.Join(problems, "\n- "))
	}
	return checkAlways(schema)
}

// checkAlways runs iceberg-go's own checks. They are not exported, but a builder of the newest version applies them and
// nothing else.
func checkAlways(schema *iceberg.Schema) error {
	builder, err := table.NewMetadataBuilder(newestVersion)
	if err != nil {
		return fmt.Errorf("build metadata of version %d: %w", newestVersion, err)
	}
	copied := iceberg.NewSchemaWithIdentifiers(schema.ID, schema.IdentifierFieldIDs, schema.Fields()...)
	if err := builder.AddSchema(copied); err != nil {
		return fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	return nil
}

// newestVersion is the newest format version that iceberg-go knows.
const newestVersion = 3

// typeSince returns the first format version that has the type.
func typeSince(t iceberg.Type) int {
	switch t.(type) {
	case iceberg.TimestampNsType, iceberg.TimestampTzNsType, iceberg.VariantType, iceberg.UnknownType,
		iceberg.GeometryType, iceberg.GeographyType:
		return 3
	}
	return 1
}
