package repair

import (
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// isWrapper reports whether an allOf only puts something beside a $ref that no Go
// type shows: the schema is what it refers to.
func isWrapper(n *document.Node) bool {
	members := shapingMembers(n)
	return len(members) == 1 && members[0].Has("$ref") && len(more(n, "allOf", "type", "readOnly", "writeOnly")) == 0
}

// shapingMembers are the members of an allOf that say more than remarks.
func shapingMembers(n *document.Node) []*document.Node {
	var members []*document.Node
	for _, member := range n.Get("allOf").All() {
		if len(more(member)) > 0 || isRaw(member) {
			members = append(members, member)
		}
	}
	return members
}

// mergeAllOf puts the members of every allOf together into one schema.
// oapi-codegen does so as well, but drops a property that two members describe
// in one of the two ways, and stops where members differ in what no Go type
// shows. A plain merge is no news; what members disagree about is reported.
func mergeAllOf(f *fixer) error {
	f.nameEndless()
	var failed error
	merges := 0
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if !n.Has("allOf") || failed != nil {
			return
		}
		if merges++; merges > maxMerges || strings.Count(string(p), "/") > maxUnfolded {
			failed = f.doc.Errorf(p, "the allOfs of this document unfold without end")
			return
		}
		if isWrapper(n) {
			unwrap(n)
			return
		}
		m := merger{fixer: f, open: map[*document.Node]bool{}, pairs: map[string]bool{}}
		merged, conflict := m.flat(n, p)
		if m.circular != "" {
			failed = f.doc.Errorf(p, "the schema extends itself, by way of %s", m.circular)
			return
		}
		if conflict != "" {
			keepRaw(n)
			f.fixed(p, "the members of its allOf disagree: %s; it is kept as raw JSON", conflict)
			return
		}
		n.Fields = merged.Fields
	})
	f.liftArms()
	return failed
}

// unwrap leaves the one $ref of a wrapper in its allOf, and says "or null" beside
// it in the form that the generator knows.
func unwrap(n *document.Node) {
	ref := shapingMembers(n)[0]
	orNull := len(n.Get("type").Strings()) > len(typesOf(n))
	n.Delete("type")
	if orNull {
		n.Delete("allOf")
		n.Set("oneOf", document.NewArray(ref, document.NewObject("type", "null")))
		return
	}
	n.Set("allOf", document.NewArray(ref))
}

// merger makes one schema of several that apply together.
type merger struct {
	*fixer
	open     map[*document.Node]bool // schemas being merged
	circular string                  // the $ref that led back to one of them
	pairs    map[string]bool         // pairs of property schemas being merged
}

// maxMerges and maxUnfolded bound what a document can unfold to, in number and in
// depth.
const maxMerges, maxUnfolded = 50_000, 1000

// flat is a copy of a schema without allOf. Where the members disagree, it says
// how, in words that complete "the members disagree:".
func (m *merger) flat(n *document.Node, at document.Pointer) (flat *document.Node, conflict string) {
	if isRaw(n) {
		return nil, "one is kept as raw JSON"
	}
	m.open[n] = true
	defer delete(m.open, n)
	flat = document.NewObject()
	for _, member := range n.Get("allOf").All() {
		part := member
		if ref := member.Get("$ref").Str(); ref != "" {
			if part = m.doc.Resolve(member); m.open[part] {
				m.circular = ref
				return flat, ""
			}
		}
		part, conflict = m.flat(part, at)
		if m.circular == "" && conflict == "" {
			conflict = m.add(flat, part, at)
		}
		if m.circular != "" || conflict != "" {
			return flat, conflict
		}
	}
	own := n.Clone()
	own.Delete("allOf")
	if conflict := m.add(flat, own, at); conflict != "" {
		return flat, conflict
	}
	for name, value := range own.Members() {
		if remarks[name] {
			flat.Set(name, value)
		}
	}
	return flat, ""
}

// add lets what part says apply to flat as well.
func (m *merger) add(flat, part *document.Node, at document.Pointer) (conflict string) {
	for name, value := range part.Members() {
		old := flat.Get(name)
		switch {
		case remarks[name] || isExtension(name):
		case old == nil:
			flat.Set(name, value.Clone())
		case string(old.JSON()) == string(value.JSON()):
		default:
			conflict = m.combine(flat, name, old, value, at)
		}
		if conflict != "" {
			return conflict
		}
	}
	if flat.Has("oneOf") && flat.Has("anyOf") {
		return "there are two unions at once"
	}
	return ""
}

// combine puts two values of one keyword together.
func (m *merger) combine(flat *document.Node, keyword string, old, value *document.Node, at document.Pointer) (conflict string) {
	switch keyword {
	case "properties":
		m.properties(old, value, at.To(keyword))
	case "required":
		flat.Set(keyword, listOf(union(old.Strings(), value.Strings())))
	case "type":
		types := commonTypes(old.Strings(), value.Strings())
		if len(types) == 0 {
			return "no type fits them all"
		}
		flat.Set(keyword, texts(types...))
	case "format":
		flat.Set(keyword, document.NewString("")) // the widest Go type of the kind
	case "enum":
		if len(value.Items) < len(old.Items) {
			flat.Set(keyword, value.Clone())
		}
	case "items":
		flat.Set(keyword, m.both(old, value, at.To(keyword)))
	case "additionalProperties":
		flat.Set(keyword, m.entries(old, value, at.To(keyword)))
	case "readOnly", "writeOnly":
		flat.Set(keyword, document.NewBool(old.True() || value.True()))
	case "oneOf", "anyOf":
		return "there are two unions at once"
	case "discriminator":
		return "there are two discriminators"
	}
	// Other keywords only narrow the values, or rule out a Go type by being there.
	return ""
}

// properties adds properties to those of another schema.
func (m *merger) properties(into, added *document.Node, at document.Pointer) {
	for name, property := range added.Members() {
		if old := into.Get(name); old != nil {
			property = m.both(old, property, at.To(name))
		}
		into.Set(name, property.Clone())
	}
}

// entries is what members that have no name must fit.
func (m *merger) entries(a, b *document.Node, at document.Pointer) *document.Node {
	switch {
	case a.Kind == document.Bool && !a.True() || b.True():
		return a
	case b.Kind == document.Bool && !b.True() || a.True():
		return b
	}
	return m.both(a, b, at)
}
