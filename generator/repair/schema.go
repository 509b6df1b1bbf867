package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// typesOf are the types a schema names, but for null.
func typesOf(n *document.Node) []string {
	return slices.DeleteFunc(n.Get("type").Strings(), func(t string) bool { return t == "null" })
}

func isType(n *document.Node, name string) bool {
	types := typesOf(n)
	return len(types) == 1 && types[0] == name
}

// isUnion reports whether a schema has arms.
func isUnion(n *document.Node) bool { return n.Has("oneOf") || n.Has("anyOf") }

// arms are a union's schemas, but for null.
func arms(n *document.Node) []*document.Node {
	all := slices.Concat(n.Get("oneOf").All(), n.Get("anyOf").All())
	return slices.DeleteFunc(all, isNull)
}

// isNull reports whether a schema admits null and nothing else.
func isNull(n *document.Node) bool {
	types := n.Get("type").Strings()
	return len(types) == 1 && types[0] == "null"
}

// isRaw reports whether a schema is kept as raw JSON.
func isRaw(n *document.Node) bool { return n.Get("x-go-type").Str() == rawType }

// remarks are keywords that say nothing about which data a schema admits, so
// that dropping or moving one is no news; the report is then the same for a
// document with prose and for one without.
var remarks = map[string]bool{
	"$comment": true, "default": true, "deprecated": true, "description": true, "example": true, "examples": true,
	"externalDocs": true, "summary": true, "title": true, "xml": true,
}

// more lists the keywords of a schema besides remarks and those named.
func more(n *document.Node, except ...string) []string {
	var found []string
	for name := range n.Members() {
		if !remarks[name] && !slices.Contains(except, name) && !isExtension(name) {
			found = append(found, name)
		}
	}
	return found
}

func isExtension(keyword string) bool { return len(keyword) > 2 && keyword[:2] == "x-" }

// nullable reports whether a schema, or what it refers to, admits null.
func (f *fixer) nullable(n *document.Node) bool {
	n = f.doc.Resolve(n)
	if n.Get("nullable").True() || slices.Contains(n.Get("type").Strings(), "null") {
		return true
	}
	if slices.ContainsFunc(slices.Concat(n.Get("oneOf").All(), n.Get("anyOf").All()), isNull) {
		return true
	}
	all := n.Get("allOf").All()
	return len(all) == 1 && f.nullable(all[0])
}
