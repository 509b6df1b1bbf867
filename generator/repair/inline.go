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

// namedSchema is a schema with the words that its Go name is made of.
type namedSchema struct {
	path []string
	at   document.Pointer
	node *document.Node
}

// in is a schema inside this one, whose name has one more word.
func (s namedSchema) in(word string, n *document.Node, steps ...string) namedSchema {
	return namedSchema{append(s.path[:len(s.path):len(s.path)], word), s.at.To(steps...), n}
}

// namedRoots are the schemas with which names begin.
func (f *fixer) namedRoots() []namedSchema {
	var roots []namedSchema
	for name, schema := range f.schemas().Members() {
		roots = append(roots, namedSchema{[]string{name}, schemaPointer(name), schema})
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
			roots = append(roots, namedSchema{path, at.To("parameters").Index(i).To("schema"), parameter.Get("schema")})
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
		roots = append(roots, namedSchema{[]string{name(mediaTag(mediaType))}, at.To("content", mediaType, "schema"), media.Get("schema")})
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
		f.inline(s.in("AdditionalProperties", n.Get("additionalProperties"), "additionalProperties"), false, visit)
	}
	if items := n.Get("items"); isUnion(items) || freeMembers(items) {
		f.inline(s.in("Item", items, "items"), false, visit)
	} else { // an element has the name of its array
		f.inline(namedSchema{s.path, s.at.To("items"), items}, len(s.path) == 1, visit)
	}
	for i, arm := range arms(n) {
		f.inline(s.in(fmt.Sprint(i), arm), false, visit)
	}
}

// claim enters the names of an inline schema, or makes it a component when one
// of them is taken.
func (f *fixer) claim(taken map[string]bool, s namedSchema) {
	names := inlineNames(s.path, s.node)
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

// inlineNames are the Go identifiers that an inline schema leads to.
func inlineNames(path []string, n *document.Node) []string {
	words := make([]string, len(path))
	for i, word := range path {
		words[i] = oapi.TypeName(word)
	}
	plain, apart := strings.Join(words, ""), strings.Join(words, "_")
	var names []string
	switch {
	case len(values(n)) > 0:
		if len(path) > 1 {
			names = append(names, plain)
		}
		for _, value := range values(n) {
			names = append(names, plain+oapi.TypeName(value.Text))
		}
	case len(path) > 1 && (isUnion(n) || freeMembers(n)):
		names = append(names, apart)
	}
	return names
}

func (f *fixer) hoistInline(taken map[string]bool, s namedSchema) {
	name := joined(strings.Join(s.path, " ")) + "Inline"
	free := name
	for i := 2; taken[oapi.TypeName(free)] || f.schemas().Has(free); i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	f.fixed(s.at, "the Go name %s that the inline schema would get is taken; it is the component %s now", inlineNames(s.path, s.node)[0], free)
	f.hoist(free, s.node)
	taken[oapi.TypeName(free)] = true
	component := namedSchema{[]string{free}, schemaPointer(free), f.schemas().Get(free)}
	f.inline(component, true, func(s namedSchema) { f.claim(taken, s) })
}
