package schemas

import (
	"slices"
	"strings"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Shape is a schema in a form for comparing.
type Shape struct{ node rawjson.Node }

// ShapeOf returns the shape of a schema: all of it but its id.
func ShapeOf(text rawjson.Value) (Shape, error) {
	node, err := rawjson.Decode(text)
	if err != nil {
		return Shape{}, fault.New(fault.Invalid, "Invalid schema: %w", err)
	}
	if schema, ok := node.(map[string]any); ok {
		delete(schema, "schema-id")
		sortIdentifiers(schema)
	}
	tightenTypes(node)
	return Shape{node}, nil
}

// Same tells whether two schemas have the same fields in the same order, the same identifier fields, and the same of
// whatever else their writers put in.
func (s Shape) Same(other Shape) bool { return rawjson.Same(s.node, other.node) }

// sortIdentifiers makes a set of the identifier fields, for which none and an empty list are the same.
func sortIdentifiers(schema map[string]any) {
	ids, ok := schema["identifier-field-ids"].([]any)
	if !ok {
		return
	}
	if len(ids) == 0 {
		delete(schema, "identifier-field-ids")
		return
	}
	slices.SortFunc(ids, func(a, b any) int { return strings.Compare(textOf(a), textOf(b)) })
	schema["identifier-field-ids"] = slices.CompactFunc(ids, rawjson.Same)
}

func textOf(node any) string {
	text, _ := node.(interface{ String() string })
	if text == nil {
		return ""
	}
	return text.String()
}

// tightenTypes takes the spaces out of type names: decimal(9, 2) and decimal(9,2) are one type. It goes where types are
// and nowhere else, so that a default value keeps its spaces.
func tightenTypes(node any) {
	switch node := node.(type) {
	case map[string]any:
		for _, member := range []string{"type", "element", "key", "value"} {
			if name, ok := node[member].(string); ok {
				node[member] = strings.ReplaceAll(name, " ", "")
			} else {
				tightenTypes(node[member])
			}
		}
		tightenTypes(node["fields"])
	case []any:
		for _, element := range node {
			tightenTypes(element)
		}
	}
}
