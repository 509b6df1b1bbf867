package repair

import (
	"fmt"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
)

// distinctInline looks at the inline schemas that oapi-codegen makes Go types and
// constants of, by names made of the way to them. One whose name is taken
// becomes a component of another name.
func (f *fixer) distinctInline(taken map[string]bool) {
	for _, root := range f.namedRoots() {
		f.inline(root, true, func(s namedSchema) { f.claim(taken, s) })
	}
}

// namedSchema is a schema with the words that Go names are made of: those of what
// is in it begin with path, and its own has one more word where it is an element
// or a member without a name. An arm of a union always has a name.
type namedSchema struct {
	path []string
	word string
	at   document.Pointer
	node *document.Node
	arm  bool
}

// in is a schema inside this one, whose name has one more word.
func (s namedSchema) in(word string, n *document.Node, steps ...string) namedSchema {
	return namedSchema{append(s.path[:len(s.path):len(s.path)], word), "", s.at.To(steps...), n, false}
}

// namedRoots are the schemas with which names begin.
func (f *fixer) namedRoots() []namedSchema {
	var roots []namedSchema
	for name, schema := range f.schemas().Members() {
		roots = append(roots, namedSchema{[]string{name}, "", schemaPointer(name), schema, false})
	}
	for _, section := range []string{"requestBodies", "responses"} {
		for name, member := range f.doc.Root.At("components", section).Members() {
			at := document.Pointer("/components").To(section, name)
			roots = append(roots, bodies(at, member, func(string) string { return name })...)
		}
	}
	for at, op := range f.operations() {
		id := oapi.TypeName(op.Get("operationId").Str())
		for i, parameter := range op.Get("parameters").All() {
			path := []string{id + "Params", parameter.Get("name").Str()}
			roots = append(roots, namedSchema{path, "", at.To("parameters").Index(i).To("schema"), parameter.Get("schema"), false})
		}
		roots = append(roots, bodies(at.To("requestBody"), op.Get("requestBody"), func(tag string) string { return id + tag + "Body" })...)
		for status, response := range op.Get("responses").Members() {
			name := func(tag string) string { return id + status + tag + "ResponseBody" }
			roots = append(roots, bodies(at.To("responses", status), response, name)...)
		}
	}
	return roots
}

func bodies(at document.Pointer, holder *document.Node, name func(tag string) string) []namedSchema {
	var roots []namedSchema
	for mediaType, media := range holder.Get("content").Members() {
		roots = append(roots, namedSchema{[]string{name(mediaTag(mediaType))}, "", at.To("content", mediaType, "schema"), media.Get("schema"), false})
	}
	return roots
}

// inline visits the schemas inside one, and the one itself unless it is a root
// without constants.
func (f *fixer) inline(s namedSchema, isRoot bool, visit func(namedSchema)) {
	n := s.node
	if n == nil || n.Has("$ref") || n.Has("x-go-type") {
		return
	}
	if !isRoot || len(values(n)) > 0 {
		visit(s)
	}
	for property, schema := range n.Get("properties").Members() {
		f.inline(s.in(property, schema, "properties", property), false, visit)
	}
	if freeMembers(n) {
		f.inline(namedSchema{s.path, "AdditionalProperties", s.at.To("additionalProperties"), n.Get("additionalProperties"), false}, false, visit)
	}
	if items := n.Get("items"); items != nil {
		f.inline(namedSchema{s.path, "Item", s.at.To("items"), items, false}, false, visit)
	}
	list := arms(n)
	if len(list) == 1 && f.nullable(n) { // the union is that schema
		f.inline(namedSchema{s.path, s.word, s.at, list[0], s.arm}, isRoot, visit)
		return
	}
	for i, arm := range list {
		inside := s.in(fmt.Sprint(i), arm)
		inside.arm = true
		f.inline(inside, false, visit)
	}
}

// claim enters the names of an inline schema, or makes it a component when one
// of them is taken.
func (f *fixer) claim(taken map[string]bool, s namedSchema) {
	names := s.goNames()
	for _, name := range names {
		if taken[name] {
			f.hoistInline(taken, s)
			return
		}
	}
	for _, name := range names {
		taken[name] = true
	}
}

// goNames are the Go identifiers that an inline schema leads to.
func (s namedSchema) goNames() []string {
	words := make([]string, len(s.path))
	for i, word := range s.path {
		words[i] = oapi.TypeName(word)
	}
	plain, apart := strings.Join(words, ""), strings.Join(words, "_")
	var names []string
	switch {
	case s.arm && len(values(s.node)) == 0:
		names = append(names, plain)
	case len(values(s.node)) > 0 && (len(s.path) > 1 || s.word == ""):
		if len(s.path) > 1 {
			names = append(names, plain)
		}
		for _, value := range values(s.node) {
			names = append(names, plain+oapi.TypeName(value.Text))
		}
	case len(values(s.node)) > 0:
	case s.word != "" && (isUnion(s.node) || freeMembers(s.node)):
		names = append(names, apart+"_"+s.word)
	case len(s.path) > 1 && (isUnion(s.node) || freeMembers(s.node)):
		names = append(names, apart)
	}
	return names
}

func (f *fixer) hoistInline(taken map[string]bool, s namedSchema) {
	natural := s.goNames()[0]
	name := joined(natural) + "Inline"
	free := name
	for i := 2; taken[oapi.TypeName(free)] || f.schemas().Has(free); i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	f.fixed(s.at, "the Go name %s that the inline schema would get is taken; it is the component %s now", natural, free)
	f.hoist(free, s.node)
	taken[oapi.TypeName(free)] = true
	component := namedSchema{[]string{free}, "", schemaPointer(free), f.schemas().Get(free), false}
	f.inline(component, true, func(s namedSchema) { f.claim(taken, s) })
}
