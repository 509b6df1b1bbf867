package repair

import (
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// impliedTypes spells out what a schema says without saying it: true is a schema
// that admits anything, properties mean an object, items an array, and the
// values of an enumeration have a type. None of it is worth a report.
func impliedTypes(f *fixer) error {
	f.doc.WalkStructure(func(_ document.Pointer, n *document.Node) {
		openTrue(n, "schema")
	})
	for name := range f.schemas().Members() {
		openTrue(f.schemas(), name)
	}
	f.doc.WalkSchemas(func(_ document.Pointer, n *document.Node) {
		openTrue(n, "items")
		for _, keyword := range []string{"properties", "patternProperties"} {
			for name := range n.Get(keyword).Members() {
				openTrue(n.Get(keyword), name)
			}
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf", "prefixItems"} {
			for i, member := range n.Get(keyword).All() {
				if member.Kind == document.Bool {
					n.Get(keyword).Items[i] = document.NewObject()
				}
			}
		}
		if !n.Has("type") && !n.Has("$ref") {
			implyType(n)
		}
	})
	return nil
}

// requiredProperties describes properties that are required and that nobody
// describes: they may be anything, and are there. In a union an arm may describe
// them, and in a map all members are described.
func requiredProperties(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if isUnion(n) || freeMembers(n) || !isType(n, "object") || !n.Has("properties") {
			return
		}
		for _, name := range n.Get("required").Strings() {
			if !n.Get("properties").Has(name) {
				n.Get("properties").Set(name, document.NewObject())
				f.fixed(p, "the property %s is required and not described; it may be anything", name)
			}
		}
	})
	return nil
}

// openTrue makes the schemas true and false objects. No value fits false, so it
// does not matter what it becomes.
func openTrue(n *document.Node, member string) {
	if value := n.Get(member); value != nil && value.Kind == document.Bool {
		n.Set(member, document.NewObject())
	}
}

func implyType(n *document.Node) {
	composed := composed(n)
	switch {
	case n.Has("enum") || n.Has("const"):
		if types := valueTypes(values(n)); len(types) > 0 && len(types) <= 2 {
			n.Set("type", texts(types...))
		}
	case composed:
	case n.Has("properties") || freeMembers(n):
		n.Set("type", document.NewString("object"))
	case n.Has("items"):
		n.Set("type", document.NewString("array"))
	}
}

// values are those that an enumeration or a const admits.
func values(n *document.Node) []*document.Node {
	if value := n.Get("const"); value != nil {
		return []*document.Node{value}
	}
	return n.Get("enum").All()
}

// valueTypes are the types of values, null last; nothing when they have several
// besides null.
func valueTypes(values []*document.Node) []string {
	var types []string
	null := false
	for _, v := range values {
		name := v.Kind.String()
		if v.Kind == document.Number && !strings.ContainsAny(v.Text, ".eE") {
			name = "integer"
		}
		switch {
		case v.Kind == document.Null:
			null = true
		case v.Kind == document.Object || v.Kind == document.Array:
			return nil
		case !slices.Contains(types, name):
			types = append(types, name)
		}
	}
	if len(types) != 1 {
		return nil
	}
	if null {
		types = append(types, "null")
	}
	return types
}

// texts makes an array of strings, or a lone string when there is one.
func texts(list ...string) *document.Node {
	if len(list) == 1 {
		return document.NewString(list[0])
	}
	n := document.NewArray()
	for _, text := range list {
		n.Items = append(n.Items, document.NewString(text))
	}
	return n
}
