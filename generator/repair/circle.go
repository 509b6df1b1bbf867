package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// refuseCircles refuses a schema that extends itself by allOf: no value is
// described by it, and whoever climbs from a schema to its bases would climb for
// ever. It runs before the first repair that does so.
func (f *fixer) refuseCircles() error {
	for name, schema := range f.schemas().Members() {
		if f.climbsTo(schema, name, map[string]bool{}) {
			return f.doc.Errorf(schemaPointer(name), "the schema extends itself, by way of %s", schemaRef(name))
		}
	}
	return nil
}

// climbsTo reports whether the bases of a schema lead to the component called
// name. A component that is nothing but a reference leads on.
func (f *fixer) climbsTo(n *document.Node, name string, seen map[string]bool) bool {
	if ref, ok := n.Ref(); ok {
		base := ref.Last()
		if base == name || seen[base] {
			return base == name
		}
		seen[base] = true
		return f.climbsTo(f.schemas().Get(base), name, seen)
	}
	return slices.ContainsFunc(n.Get("allOf").All(), func(member *document.Node) bool {
		return f.climbsTo(member, name, seen)
	})
}
