package plan

import (
	"iter"
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// holders knows the schemas that lead to a secret-named property, so that the
// search for all the ways to one does not walk through schemas without any.
type holders struct {
	doc     *document.Document
	names   []string
	parents map[*document.Node][]*document.Node // of the schemas explored
	found   map[*document.Node]bool
	seen    map[string]bool // names of all properties
}

func newHolders(read *document.Document, configured []string) *holders {
	return &holders{
		doc: read, names: append(slices.Clone(DefaultSecretFields), configured...),
		parents: map[*document.Node][]*document.Node{}, found: map[*document.Node]bool{}, seen: map[string]bool{},
	}
}

// explore looks at a schema, and at all that it leads to.
func (h *holders) explore(n *document.Node) {
	if _, known := h.parents[n]; known || n == nil {
		return
	}
	h.parents[n] = nil
	for name, property := range n.Get("properties").Members() {
		h.seen[name] = true
		if slices.Contains(h.names, name) {
			h.mark(n)
			h.explore(h.doc.Resolve(property)) // for the names alone: it is cut as a whole
		}
	}
	for _, part := range h.parts(n) {
		part = h.doc.Resolve(part)
		h.explore(part)
		h.parents[part] = append(h.parents[part], n)
		if h.found[part] {
			h.mark(n)
		}
	}
}

// mark enters a schema, and those that lead to it.
func (h *holders) mark(n *document.Node) {
	if h.found[n] {
		return
	}
	h.found[n] = true
	for _, parent := range h.parents[n] {
		h.mark(parent)
	}
}

// parts yields the schemas that a schema is made of, but for secrets, each with
// the step that leads to it in the data.
func (h *holders) parts(n *document.Node) iter.Seq2[document.Pointer, *document.Node] {
	return func(yield func(document.Pointer, *document.Node) bool) {
		var same []*document.Node
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			same = append(same, n.Get(keyword).All()...)
		}
		if n.Has("discriminator") {
			same = append(same, h.subtypes(n)...)
		}
		for _, part := range same {
			if !yield("", part) {
				return
			}
		}
		for name, property := range n.Get("properties").Members() {
			if !slices.Contains(h.names, name) && !yield(document.Pointer("").To(name), property) {
				return
			}
		}
		for _, keyword := range []string{"items", "additionalProperties"} {
			if part := n.Get(keyword); part != nil && part.Kind == document.Object && !yield("/*", part) {
				return
			}
		}
	}
}

// subtypes are what a discriminated base stands for: what it maps to, and what
// extends it.
func (h *holders) subtypes(base *document.Node) []*document.Node {
	var subtypes []*document.Node
	schemas := h.doc.Root.At("components", "schemas")
	for _, target := range base.At("discriminator", "mapping").Members() {
		subtypes = append(subtypes, schemas.Get(document.SchemaName(target.Str())))
	}
	for _, schema := range schemas.Members() {
		for _, member := range schema.Get("allOf").Elements() {
			if member.Has("$ref") && h.doc.Resolve(member) == base {
				subtypes = append(subtypes, schema)
			}
		}
	}
	return subtypes
}
