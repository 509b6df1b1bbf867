package repair

import (
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// leftoverNullable rewrites nullable in 3.1 documents, where it has no meaning
// any more and where a generator therefore makes a null into a zero.
func leftoverNullable(f *fixer) error {
	if !f.doc.Is31() {
		return nil
	}
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		nullable := n.Get("nullable")
		if nullable == nil {
			return
		}
		n.Delete("nullable")
		if !nullable.True() {
			f.fixed(p, "nullable: false says what is so without it; it is dropped")
			return
		}
		makeNullable(n)
		f.fixed(p, "nullable: true stands in an OpenAPI 3.1 document; the schema admits null in the way of 3.1 now")
	})
	return nil
}

// makeNullable admits null in the way of OpenAPI 3.1.
func makeNullable(n *document.Node) {
	types := n.Get("type").Strings()
	if len(types) == 0 {
		// A schema without a type of its own, an allOf around a $ref for
		// instance, is nullable as one arm of a union.
		arm := &document.Node{Kind: document.Object, Fields: n.Fields}
		n.Fields = []document.Field{{Name: "oneOf", Value: document.NewArray(arm, document.NewObject("type", "null"))}}
		return
	}
	list := document.NewArray()
	for _, t := range append(types, "null") {
		list.Items = append(list.Items, document.NewString(t))
	}
	n.Set("type", list)
	if enum := n.Get("enum"); enum != nil && !hasNull(enum) {
		enum.Items = append(enum.Items, &document.Node{Kind: document.Null})
	}
}

func hasNull(list *document.Node) bool {
	for _, item := range list.Elements() {
		if item.Kind == document.Null {
			return true
		}
	}
	return false
}

// nullInUnion drops the arm that says "or null" from unions of more than one
// other schema, whose Go type is raw JSON and holds a null as it is. With one
// other schema left the generator understands the union by itself.
func nullInUnion(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		for _, keyword := range []string{"oneOf", "anyOf"} {
			arms := n.Get(keyword)
			if arms == nil || len(arms.Items) != 2 {
				continue
			}
			null, other := arms.Items[0], arms.Items[1]
			if !isNull(null) {
				null, other = other, null
			}
			if !isNull(null) || len(n.Fields) > 1 && !onlyRemarks(n, keyword) {
				continue
			}
			if _, isRef := other.Ref(); !isRef && len(other.Get("type").Strings()) > 0 {
				n.Delete(keyword)
				n.Fields = append(n.Fields, other.Fields...)
				makeNullable(n)
				f.fixed(p, "a %s with null is that of a nullable %s", keyword, strings.Join(other.Get("type").Strings(), " or "))
			}
		}
	})
	return nil
}

func isNull(n *document.Node) bool {
	types := n.Get("type").Strings()
	return len(types) == 1 && types[0] == "null"
}

func onlyRemarks(n *document.Node, except string) bool {
	for name := range n.Members() {
		if name != except && narrowing([]string{name}) {
			return false
		}
	}
	return true
}
