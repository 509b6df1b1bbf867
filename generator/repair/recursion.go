package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// recursiveTypes finds schemas that contain themselves in a way that Go's types
// cannot: an array whose elements are such arrays again, since arrays are
// aliases in the generated code, and an object that requires itself.
func recursiveTypes(f *fixer) error {
	for _, name := range f.memberNames() {
		f.nameElements(name)
	}
	for name, schema := range f.schemas().Members() {
		if f.onlyItself(name, schema) {
			keepRaw(schema)
			f.fixed(schemaPointer(name), "it is nothing but itself; it is kept as raw JSON")
			continue
		}
		f.cutElements(name, schema)
		f.cutRequired(schemaPointer(name), name, schema)
	}
	return nil
}

// onlyItself follows what a Go type would be another name of.
func (f *fixer) onlyItself(name string, schema *document.Node) bool {
	for range f.schemas().Fields {
		ref := f.wrapped(schema).Get("$ref").Str()
		if ref == "" || document.SchemaName(ref) == name {
			return ref != ""
		}
		schema = f.schemas().Get(document.SchemaName(ref))
	}
	return false
}

// wrapped looks through what only puts something beside a schema.
func (f *fixer) wrapped(n *document.Node) *document.Node {
	for {
		all, list := n.Get("allOf").All(), arms(n)
		switch {
		case n.Has("$ref"):
			return n
		case len(all) == 1:
			n = all[0]
		case len(list) == 1 && f.nullable(n):
			n = list[0]
		default:
			return n
		}
	}
}

func (f *fixer) cutElements(name string, schema *document.Node) {
	array := schema
	if isUnion(schema) && len(arms(schema)) == 1 {
		array = arms(schema)[0]
	}
	items := array.Get("items")
	if items != nil && f.leadsBack(items, name, true, map[string]bool{}) {
		array.Set("items", rawSchema())
		f.fixed(schemaPointer(name), "its elements are it again, which no Go type can be; each is kept as raw JSON")
	}
}

func (f *fixer) cutRequired(at document.Pointer, name string, schema *document.Node) {
	for property, value := range schema.Get("properties").Members() {
		if f.embeds(schema, property, value) && f.leadsBack(value, name, false, map[string]bool{}) {
			schema.Get("properties").Set(property, rawSchema())
			f.fixed(at.To("properties", property), "the schema requires itself here, which no Go type can; it is kept as raw JSON")
		}
	}
}

// embeds reports whether a property's Go type stands in the struct itself, not
// behind a pointer.
func (f *fixer) embeds(schema *document.Node, property string, value *document.Node) bool {
	return slices.Contains(schema.Get("required").Strings(), property) && !f.nullable(value)
}

// leadsBack follows what stands in a Go type itself to the component called
// name: of arrays their elements, since they are aliases, or of objects the
// members they require.
func (f *fixer) leadsBack(n *document.Node, name string, arrays bool, seen map[string]bool) bool {
	if ref := n.Get("$ref").Str(); ref != "" {
		target := document.SchemaName(ref)
		if target == name || seen[target] {
			return target == name
		}
		seen[target] = true
		return f.leadsBack(f.schemas().Get(target), name, arrays, seen)
	}
	if isUnion(n) && len(arms(n)) == 1 && f.nullable(n) || n.Has("allOf") {
		return slices.ContainsFunc(slices.Concat(arms(n), n.Get("allOf").All()), func(only *document.Node) bool {
			return f.leadsBack(only, name, arrays, seen)
		})
	}
	if arrays {
		items := n.Get("items")
		return items != nil && f.leadsBack(items, name, arrays, seen)
	}
	if isUnion(n) {
		return false
	}
	for property, value := range n.Get("properties").Members() {
		if f.embeds(n, property, value) && f.leadsBack(value, name, arrays, seen) {
			return true
		}
	}
	return false
}
