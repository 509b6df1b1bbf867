package repair

import (
	"cmp"
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// both is a schema for what must fit two. When one extends the other it is that
// one, which then keeps its name in Go.
func (m *merger) both(a, b *document.Node, at document.Pointer) *document.Node {
	switch {
	case string(a.JSON()) == string(b.JSON()) || m.extends(a, b, 0) || m.sameButValues(a, b):
		return a
	case m.extends(b, a, 0):
		return b
	}
	pair := string(a.JSON()) + string(b.JSON())
	conflict := "they contain each other"
	if !m.pairs[pair] {
		m.pairs[pair] = true
		defer delete(m.pairs, pair)
		nested := merger{fixer: m.fixer, open: map[*document.Node]bool{}, pairs: m.pairs}
		var merged *document.Node
		merged, conflict = nested.flat(document.NewObject("allOf", document.NewArray(a, b)), at)
		if nested.circular != "" {
			conflict = "one extends itself"
		}
		if conflict == "" {
			if description := cmp.Or(b.Get("description"), a.Get("description")); description != nil {
				merged.Set("description", description)
			}
			return merged
		}
	}
	m.fixed(at, "two members of an allOf describe it and disagree: %s; it is kept as raw JSON", conflict)
	return rawSchema()
}

// sameButValues reports whether b only narrows the values of a, by keywords that
// no Go type shows, so that a's name can stay.
func (m *merger) sameButValues(a, b *document.Node) bool {
	if !a.Has("$ref") || len(b.Get("type").Strings()) != 1 {
		return false
	}
	target := m.doc.Resolve(a)
	return slices.Equal(target.Get("type").Strings(), b.Get("type").Strings()) && target.Has("enum") &&
		!slices.ContainsFunc(more(b, "type"), func(keyword string) bool { return slices.Contains(shaping, keyword) })
}

// maxHeight is how far a line of ancestors is followed.
const maxHeight = 32

// extends reports whether a is a reference to a schema that extends the one b
// refers to.
func (m *merger) extends(a, b *document.Node, depth int) bool {
	wanted := b.Get("$ref").Str()
	if wanted == "" || depth > maxHeight {
		return false
	}
	if a.Get("$ref").Str() == wanted {
		return true
	}
	if !a.Has("$ref") {
		return false
	}
	return slices.ContainsFunc(m.doc.Resolve(a).Get("allOf").All(), func(member *document.Node) bool {
		return m.extends(member, b, depth+1)
	})
}

// commonTypes are the types that both lists admit; an integer is a number. Null
// is admitted when one of them does, as that is what people mean who write
// nullable beside a $ref in an allOf.
func commonTypes(a, b []string) []string {
	var common []string
	for _, t := range a {
		switch {
		case t == "null":
		case slices.Contains(b, t):
			common = append(common, t)
		case t == "integer" && slices.Contains(b, "number"):
			common = append(common, t)
		case t == "number" && slices.Contains(b, "integer"):
			common = append(common, "integer")
		}
	}
	if len(common) > 0 && (slices.Contains(a, "null") || slices.Contains(b, "null")) {
		common = append(common, "null")
	}
	return common
}

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func listOf(list []string) *document.Node {
	n := document.NewArray()
	for _, s := range list {
		n.Items = append(n.Items, document.NewString(s))
	}
	return n
}
