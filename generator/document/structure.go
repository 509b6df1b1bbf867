package document

import (
	"iter"
	"slices"
	"strings"
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

// nameMaps are the members whose own member names are free: names of
// properties, of components, of paths. Everywhere else a name is a keyword.
var nameMaps = map[string]bool{
	"$defs": true, "callbacks": true, "content": true, "definitions": true, "dependentSchemas": true,
	"encoding": true, "headers": true, "links": true, "mapping": true, "parameters": true, "pathItems": true,
	"paths": true, "patternProperties": true, "properties": true, "requestBodies": true, "responses": true,
	"schemas": true, "scopes": true, "securitySchemes": true, "variables": true, "webhooks": true,
}

// dataKeywords hold plain data, in which no keyword has a meaning.
var dataKeywords = map[string]bool{"const": true, "default": true, "enum": true, "example": true, "examples": true}

// WalkStructure visits every node that OpenAPI gives a meaning: it stays out of
// examples, defaults, enumerations and extensions, and does not take a property
// that is named like a keyword for one.
func (d *Document) WalkStructure(visit func(Pointer, *Node)) {
	walkStructure("", d.Root, false, visit)
}

func walkStructure(p Pointer, n *Node, names bool, visit func(Pointer, *Node)) {
	if !names {
		visit(p, n)
	}
	// By index, since visitors may append members to the node they are at.
	for i := 0; i < len(n.Fields); i++ {
		f := n.Fields[i]
		if !names && (dataKeywords[f.Name] || strings.HasPrefix(f.Name, "x-")) {
			continue
		}
		free := !names && nameMaps[f.Name] && f.Value.Kind == Object
		walkStructure(p.To(f.Name), f.Value, free, visit)
	}
	for i, item := range n.Items {
		walkStructure(p.Index(i), item, false, visit)
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
