package planning

import (
	"fmt"
	"strings"

	"github.com/apache/iceberg-go"
)

// columns finds a schema's columns by their full names.
type columns struct {
	schema *iceberg.Schema
	exact  bool
	// folded has the ids of the columns of each name in lower case, if names need not be exact.
	folded map[string][]int
}

func newColumns(schema *iceberg.Schema, exact bool) (*columns, error) {
	c := &columns{schema: schema, exact: exact}
	if exact {
		return c, nil
	}
	names, err := iceberg.IndexByName(schema)
	if err != nil {
		return nil, fmt.Errorf("index the schema's names: %w", err)
	}
	c.folded = make(map[string][]int, len(names))
	for name, id := range names {
		folded := strings.ToLower(name)
		c.folded[folded] = append(c.folded[folded], id)
	}
	return c, nil
}

// find returns the column of a name. Of two that differ in case alone none is chosen: to prune by the wrong one would
// lose rows.
func (c *columns) find(name string) (iceberg.NestedField, error) {
	if c.exact {
		if field, ok := c.schema.FindFieldByName(name); ok {
			return field, nil
		}
		return iceberg.NestedField{}, c.unknown(name)
	}
	ids := c.folded[strings.ToLower(name)]
	if len(ids) == 0 {
		return iceberg.NestedField{}, c.unknown(name)
	}
	for _, id := range ids[1:] {
		if id != ids[0] {
			return iceberg.NestedField{}, fmt.Errorf("column %q is ambiguous when case does not matter", name)
		}
	}
	field, _ := c.schema.FindFieldByID(ids[0])
	return field, nil
}

func (c *columns) unknown(name string) error {
	return fmt.Errorf("column %q does not exist in schema %d", name, c.schema.ID)
}

// name is the full name of a column.
func (c *columns) name(field iceberg.NestedField) string {
	name, _ := c.schema.FindColumnName(field.ID)
	return name
}
