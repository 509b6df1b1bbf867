package document

import (
	"iter"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/grammar"
)

// PathItems yields the document's path items by their paths, in its order. Vendor
// extensions beside them are none.
func (d *Document) PathItems() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		for path, item := range d.Root.Get("paths").Members() {
			if !strings.HasPrefix(path, "x-") && !yield(path, item) {
				return
			}
		}
	}
}

// WalkStructure visits every object that OpenAPI gives a meaning, parents first
// and in the document's order: it stays out of examples, defaults, enumerations
// and extensions, and does not take a property that is named like a keyword for
// one. Visitors may change the node they are at, and add members to others.
func (d *Document) WalkStructure(visit func(Pointer, *Node)) {
	walkObject(grammar.Document, "", d.Root, visit)
}

func walkObject(k grammar.Kind, p Pointer, n *Node, visit func(Pointer, *Node)) {
	visit(p, n)
	// By index, since visitors append members.
	for i := 0; i < len(n.Fields); i++ {
		name, value := n.Fields[i].Name, n.Fields[i].Value
		at := p.To(name)
		switch rule := grammar.PlaceOf(k, name); rule.Form {
		case grammar.One:
			walkObject(rule.Of, at, value, visit)
		case grammar.Each:
			for i, item := range value.Items {
				walkObject(rule.Of, at.Index(i), item, visit)
			}
		case grammar.Named:
			for i := 0; i < len(value.Fields); i++ {
				walkObject(rule.Of, at.To(value.Fields[i].Name), value.Fields[i].Value, visit)
			}
		}
	}
}

// schemaHolders are the keywords of a schema that hold one schema, a list of
// schemas, or a map of schemas.
var (
	schemaHolders = []string{"items", "additionalProperties", "not", "contains", "propertyNames"}
	schemaLists   = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaMaps    = []string{"properties", "patternProperties", "$defs"}
)

// WalkSchemas visits every schema object: the components' and the inline ones of
// parameters, headers and media types, with all that they nest. References are
// visited, not followed.
func (d *Document) WalkSchemas(visit func(Pointer, *Node)) {
	var roots []Pointer
	d.WalkStructure(func(p Pointer, n *Node) {
		tokens := p.Tokens()
		switch {
		case len(tokens) == 3 && tokens[0] == "components" && tokens[1] == "schemas":
			roots = append(roots, p)
		case len(tokens) > 0 && tokens[len(tokens)-1] == "schema" && !slices.Contains(tokens, "schemas"):
			roots = append(roots, p)
		}
	})
	for _, p := range roots {
		walkSchema(p, d.Lookup(p), visit)
	}
}

func walkSchema(p Pointer, n *Node, visit func(Pointer, *Node)) {
	if n == nil || n.Kind != Object {
		return
	}
	visit(p, n)
	for _, keyword := range schemaHolders {
		walkSchema(p.To(keyword), n.Get(keyword), visit)
	}
	for _, keyword := range schemaLists {
		for i, item := range n.Get(keyword).Elements() {
			walkSchema(p.To(keyword).Index(i), item, visit)
		}
	}
	for _, keyword := range schemaMaps {
		for name, value := range n.Get(keyword).Members() {
			walkSchema(p.To(keyword, name), value, visit)
		}
	}
}
