package repair

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// deepReferences mends references to what is no component. A schema becomes
// one; anything else is copied to where it is referred to. References by way of
// a component that is nothing but a reference lead to its end.
func deepReferences(f *fixer) error {
	f.deepSchemas()
	f.doc.WalkStructure(func(p document.Pointer, n *document.Node) {
		ref, ok := n.Ref()
		if !ok || isComponent(ref, "schemas") {
			return
		}
		target, object := f.doc.ResolveAt(ref)
		switch {
		case isComponent(p, ""): // an alias of another component
			*n = *object.Clone()
		case isComponent(target, ""):
			n.Set("$ref", document.NewString(target.Ref()))
		default:
			*n = *object.Clone()
			f.fixed(p, "the $ref leads to %s, which is no component; it is copied here", ref.Ref())
		}
	})
	return nil
}

// isComponent reports whether a pointer leads to a component of a section, or of
// any when none is named.
func isComponent(p document.Pointer, section string) bool {
	tokens := p.Tokens()
	return len(tokens) == 3 && tokens[0] == "components" && (section == "" || tokens[1] == section)
}

// deepSchemas makes components of the schemas that references lead to. What
// stands deepest moves first, while the pointers to it still hold.
func (f *fixer) deepSchemas() {
	type reference struct {
		at, target document.Pointer
		node       *document.Node
	}
	var references []reference
	names := map[document.Pointer]string{}
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if ref, ok := n.Ref(); ok && !isComponent(ref, "schemas") {
			target, _ := f.doc.ResolveAt(ref)
			references = append(references, reference{p, target, n})
			names[target] = target.Last()
		}
	})
	deepest := func(a, b document.Pointer) int {
		return cmp.Or(len(b.Tokens())-len(a.Tokens()), strings.Compare(string(a), string(b)))
	}
	for _, target := range slices.SortedFunc(maps.Keys(names), deepest) {
		if !isComponent(target, "schemas") {
			names[target] = f.hoist(deepName(target), f.doc.Lookup(target))
		}
	}
	for _, r := range references {
		f.fixed(r.at, "the $ref leads to %s, which is no component; it is the component %s now", r.node.Get("$ref").Text, names[r.target])
		r.node.Set("$ref", document.NewString(schemaRef(names[r.target])))
	}
}

// deepName makes a name for a schema of the names on the way to it.
func deepName(p document.Pointer) string {
	var words []string
	for _, token := range p.Tokens() {
		switch token {
		case "components", "schemas", "properties", "$defs", "schema", "content", "paths":
		default:
			words = append(words, token)
		}
	}
	return joined(strings.Join(words, " "))
}

// hoist makes a component of a schema and leaves a reference to it in its place.
// It returns the component's name.
func (f *fixer) hoist(name string, schema *document.Node) string {
	name = f.freeName(name)
	moved := *schema
	f.addSchema(name, &moved)
	schema.Fields = []document.Field{{Name: "$ref", Value: document.NewString(schemaRef(name))}}
	return name
}
