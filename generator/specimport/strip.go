package specimport

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// Strip drops the document's prose and puts the keys of its objects in order; the
// package comment says what is prose. Two documents that differ in prose and in
// the order of such keys alone are the same afterwards. A value that is not of
// the kind that OpenAPI asks for at its place is a *document.Error; the document
// is then unchanged.
func Strip(d *document.Document) error {
	facts, err := stripper{d}.object(openAPI, d.Root, "")
	if err != nil {
		return err
	}
	d.Root = facts
	return nil
}

// stripper builds the tree of the facts beside the document's own, in which
// faults find their line.
type stripper struct{ doc *document.Document }

// entry is a member of an object with its place in the output.
type entry struct {
	document.Field
	rank int
}

// object returns the facts of an object of a kind, in normal order.
func (s stripper) object(k kind, n *document.Node, p document.Pointer) (*document.Node, error) {
	if k == schema && n.Kind == document.Bool {
		return n, nil
	}
	if n.Kind != document.Object {
		return nil, s.doc.Errorf(p, "the %s must be an object, not %s", k, n.Kind.WithArticle())
	}
	var entries []entry
	for name, value := range n.Members() {
		to := placeOf(k, name)
		kept, err := s.apply(to.rule, n, value, p.To(name))
		if err != nil {
			return nil, err
		}
		if kept != nil {
			entries = append(entries, entry{document.Field{Name: name, Value: kept}, to.rank})
		}
	}
	if k == response && !n.Has("$ref") && !n.Has("description") {
		entries = append(entries, entry{document.Field{Name: "description", Value: blank(n)}, places[k]["description"].rank})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.rank, b.rank) })
	out := like(n)
	for _, e := range entries {
		out.Fields = append(out.Fields, e.Field)
	}
	return out, nil
}

// placeOf finds the rule of a key. Extensions, and keys that the grammar does
// not know, come last.
func placeOf(k kind, key string) place {
	if p, listed := places[k][key]; listed {
		return p
	}
	if rest := grammar[k].rest; rest != nil && !strings.HasPrefix(key, "x-") {
		return place{*rest, math.MaxInt - 1}
	}
	return place{rule{form: unlisted}, math.MaxInt}
}

// apply returns what a rule leaves of a value, nil for nothing.
func (s stripper) apply(r rule, parent, n *document.Node, p document.Pointer) (*document.Node, error) {
	switch r.form {
	case one:
		return s.object(r.of, n, p)
	case each:
		return s.each(r.of, n, p)
	case named:
		return s.named(n, p, func(value *document.Node, p document.Pointer) (*document.Node, error) {
			return s.object(r.of, value, p)
		})
	case blanked:
		return s.named(n, p, func(value *document.Node, _ document.Pointer) (*document.Node, error) {
			return blank(value), nil
		})
	case empty:
		if parent.Has("$ref") {
			return nil, nil
		}
		return blank(n), nil
	case label:
		if !parent.Has("const") {
			return nil, nil
		}
		return n, nil
	case unlisted:
		return factsOf(p.Last(), n), nil
	default:
		return n, nil
	}
}

func (s stripper) each(k kind, n *document.Node, p document.Pointer) (*document.Node, error) {
	if n.Kind != document.Array {
		return nil, s.doc.Errorf(p, "%s must be an array, not %s", p.Last(), n.Kind.WithArticle())
	}
	out := like(n)
	for i, item := range n.Elements() {
		kept, err := s.object(k, item, p.Index(i))
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, kept)
	}
	return out, nil
}

func (s stripper) named(n *document.Node, p document.Pointer, each func(*document.Node, document.Pointer) (*document.Node, error)) (*document.Node, error) {
	if n.Kind != document.Object {
		return nil, s.doc.Errorf(p, "%s must be an object, not %s", p.Last(), n.Kind.WithArticle())
	}
	out := like(n)
	for name, value := range n.Members() {
		kept, err := each(value, p.To(name))
		if err != nil {
			return nil, err
		}
		out.Fields = append(out.Fields, document.Field{Name: name, Value: kept})
	}
	return out, nil
}

// like returns an empty node of the same kind at the same place.
func like(n *document.Node) *document.Node {
	return &document.Node{Kind: n.Kind, Line: n.Line, Column: n.Column}
}

// blank stands for prose that must be there.
func blank(n *document.Node) *document.Node {
	return &document.Node{Kind: document.String, Line: n.Line, Column: n.Column}
}
