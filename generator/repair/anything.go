package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// admitsAll reports whether a schema, or what it refers to, lets any value be: it
// names no type, and nothing that could tell one.
func (f *fixer) admitsAll(n *document.Node) bool {
	return f.holds(n, map[*document.Node]bool{}, func(n *document.Node) bool {
		return n.Kind == document.Object && !composed(n) && !n.Has("x-go-type") &&
			!slices.ContainsFunc([]string{"type", "enum", "const", "required"}, n.Has)
	})
}

// admitsNull reports whether null is among the values of a schema, be it by way
// of an arm of an arm.
func (f *fixer) admitsNull(n *document.Node) bool {
	return f.holds(n, map[*document.Node]bool{}, func(n *document.Node) bool {
		return slices.Contains(n.Get("type").Strings(), "null") ||
			!n.Has("type") && slices.ContainsFunc(values(n), func(v *document.Node) bool { return v.Kind == document.Null })
	})
}

func composed(n *document.Node) bool { return n.Has("$ref") || n.Has("allOf") || isUnion(n) }

// holds reports whether something is true of a schema: of it alone, of an arm of
// a union that is nothing else, or of all that an allOf puts together.
func (f *fixer) holds(n *document.Node, seen map[*document.Node]bool, of func(*document.Node) bool) bool {
	n = f.doc.Resolve(n)
	if known, asked := seen[n]; asked || n == nil {
		return known // in a circle nothing is known, and nothing added by it
	}
	seen[n] = false
	seen[n] = f.holdsHere(n, seen, of)
	return seen[n]
}

func (f *fixer) holdsHere(n *document.Node, seen map[*document.Node]bool, of func(*document.Node) bool) bool {
	each := func(n *document.Node) bool { return f.holds(n, seen, of) }
	switch {
	case of(n):
		return true
	case n.Has("type"):
		return false
	case n.Has("allOf"):
		return len(more(n, "allOf")) == 0 && !slices.ContainsFunc(n.Get("allOf").All(), func(member *document.Node) bool { return !each(member) })
	}
	return isUnion(n) && len(more(n, "oneOf", "anyOf", "discriminator")) == 0 &&
		slices.ContainsFunc(slices.Concat(n.Get("oneOf").All(), n.Get("anyOf").All()), each)
}
