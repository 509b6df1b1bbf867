package specimport

import (
	"cmp"
	"slices"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/grammar"
)

// Strip drops the document's prose and puts the keys of its objects in order; the
// package comment says what is prose. Two documents that differ in prose and in
// the order of such keys alone are the same afterwards. A value that is not of
// the form that OpenAPI asks for at its place is a *document.Error; the document
// is then unchanged.
func Strip(d *document.Document) error {
	if err := d.CheckShape(); err != nil {
		return err
	}
	d.Root = factsOf(grammar.Document, d.Root)
	return nil
}

// entry is a member of an object with its place in the output.
type entry struct {
	document.Field
	rank int
}

// factsOf returns the facts of an object of a kind, in normal order.
func factsOf(k grammar.Kind, n *document.Node) *document.Node {
	if n.Kind != document.Object {
		return n // a schema that is a boolean
	}
	var entries []entry
	for name, value := range n.Members() {
		place := grammar.PlaceOf(k, name)
		if kept := apply(place.Rule, n, name, value); kept != nil {
			entries = append(entries, entry{document.Field{Name: name, Value: kept}, place.Rank})
		}
	}
	if k == grammar.Response && !n.Has("$ref") && !n.Has("description") {
		rank := grammar.PlaceOf(k, "description").Rank
		entries = append(entries, entry{document.Field{Name: "description", Value: blank(n)}, rank})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.rank, b.rank) })
	out := like(n)
	for _, e := range entries {
		out.Fields = append(out.Fields, e.Field)
	}
	return out
}

// apply returns what a rule leaves of a member, nil for nothing.
func apply(r grammar.Rule, parent *document.Node, name string, n *document.Node) *document.Node {
	switch r.Form {
	case grammar.One:
		return factsOf(r.Of, n)
	case grammar.Each, grammar.Named:
		return mapped(n, func(value *document.Node) *document.Node { return factsOf(r.Of, value) })
	case grammar.Glossary:
		return mapped(n, blank)
	case grammar.Required:
		if parent.Has("$ref") {
			return nil
		}
		return blank(n)
	case grammar.Title:
		if !parent.Has("const") {
			return nil
		}
		return n
	case grammar.Unlisted:
		return unlisted(name, n)
	default:
		return n
	}
}

// mapped returns an object or array with another value for each of its own.
func mapped(n *document.Node, to func(*document.Node) *document.Node) *document.Node {
	out := like(n)
	for name, value := range n.Members() {
		out.Fields = append(out.Fields, document.Field{Name: name, Value: to(value)})
	}
	for _, item := range n.Elements() {
		out.Items = append(out.Items, to(item))
	}
	return out
}

// like returns an empty node of the same kind at the same place.
func like(n *document.Node) *document.Node {
	return &document.Node{Kind: n.Kind, Line: n.Line, Column: n.Column}
}

// blank stands for prose that must be there.
func blank(n *document.Node) *document.Node {
	return &document.Node{Kind: document.String, Line: n.Line, Column: n.Column}
}
