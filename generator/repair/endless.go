package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// nameEndless finds inline schemas that add to a component which contains them:
// put in their place, the component's members would contain the same schema
// again, and so on for ever. Such a schema becomes a component, which ends that.
func (f *fixer) nameEndless() {
	parts := map[string][]string{} // component to those whose members are copied into it
	type composition struct {
		owner string
		at    document.Pointer
		node  *document.Node
	}
	var inline []composition
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		tokens := p.Tokens()
		if !n.Has("allOf") || isWrapper(n) || len(tokens) < 3 || tokens[1] != "schemas" {
			return
		}
		parts[tokens[2]] = append(parts[tokens[2]], f.refsOf(n)...)
		if len(tokens) > 3 {
			inline = append(inline, composition{tokens[2], p, n})
		}
	})
	for _, c := range inline {
		if slices.ContainsFunc(f.refsOf(c.node), func(ref string) bool { return reaches(parts, ref, c.owner, map[string]bool{}) }) {
			name := f.hoist(deepName(c.at), c.node)
			f.fixed(c.at, "it adds to a schema that contains it; it is the component %s now", name)
		}
	}
}

// refsOf are the components that an allOf names, directly or by way of others.
func (f *fixer) refsOf(n *document.Node) []string {
	var names []string
	for _, member := range n.Get("allOf").All() {
		if ref, ok := member.Ref(); ok {
			target, _ := f.doc.ResolveAt(ref)
			names = append(names, target.Last())
		}
	}
	return names
}

func reaches(parts map[string][]string, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(parts[from], func(next string) bool { return reaches(parts, next, to, seen) })
}
