package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// narrowingKeywords only rule values out. They are dropped before Go types are
// chosen, with whatever schemas they hold.
var narrowingKeywords = []string{"not", "contains", "propertyNames", "dependentRequired", "unevaluatedProperties"}

// narrowingUnions drops unions whose arms describe no data of their own, such as
// those that say which members must be there together: the Go type is that of
// the schema around them. Arms that are single values are an enumeration, as
// OpenAPI 3.1 documents one value by value.
func narrowingUnions(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		for _, keyword := range narrowingKeywords {
			n.Delete(keyword)
		}
		for _, keyword := range []string{"oneOf", "anyOf"} {
			list := n.Get(keyword).All()
			if len(list) == 0 || !n.Has("type") && !n.Has("properties") && !n.Has("allOf") {
				continue
			}
			switch {
			case !slices.ContainsFunc(list, func(arm *document.Node) bool { return !arm.Has("const") }):
				n.Delete(keyword)
				n.Set("enum", constants(list))
				f.fixed(p, "the arms of its %s are single values; it is an enumeration", keyword)
			case !slices.ContainsFunc(list, describes):
				n.Delete(keyword)
				f.fixed(p, "the arms of its %s only narrow the values; the Go type has no union", keyword)
			}
		}
	})
	return nil
}

func constants(arms []*document.Node) *document.Node {
	enum := document.NewArray()
	for _, arm := range arms {
		enum.Items = append(enum.Items, arm.Get("const"))
	}
	return enum
}

// describes reports whether an arm says what data look like.
func describes(arm *document.Node) bool {
	return arm.Has("$ref") || isNull(arm) || slices.ContainsFunc(shaping, func(keyword string) bool {
		return keyword != "required" && keyword != "type" && arm.Has(keyword)
	})
}
