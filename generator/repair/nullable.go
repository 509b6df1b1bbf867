package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// leftoverNullable says "or null" in the one way of OpenAPI 3.1. In a 3.0
// document nullable is in its place and changes silently; in a 3.1 document it
// has no meaning any more, and a generator makes a zero of the null.
func leftoverNullable(f *fixer) error {
	leftover := f.doc.Is31()
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		liftNullable(n)
		nullable := n.Get("nullable")
		if nullable == nil {
			return
		}
		n.Delete("nullable")
		switch {
		case nullable.True():
			makeNullable(n)
			if leftover {
				f.fixed(p, "nullable: true stands in an OpenAPI 3.1 document; the schema admits null in the way of 3.1 now")
			}
		case leftover:
			f.fixed(p, "nullable: false says what is so without it; it is dropped")
		}
	})
	f.doc.Root.Set("openapi", document.NewString("3.1.0"))
	return nil
}

// liftNullable takes a member of an allOf that says nullable and nothing else as
// meant for the whole.
func liftNullable(n *document.Node) {
	for _, member := range n.Get("allOf").All() {
		if member.Get("nullable").True() && len(more(member, "nullable")) == 0 {
			member.Delete("nullable")
			n.Set("nullable", document.NewBool(true))
		}
	}
}

// makeNullable admits null in the way of OpenAPI 3.1.
func makeNullable(n *document.Node) {
	null := document.NewObject("type", "null")
	types := n.Get("type").Strings()
	switch {
	case slices.Contains(types, "null"):
	case n.Has("oneOf"):
		n.Get("oneOf").Items = append(n.Get("oneOf").Items, null)
	case n.Has("anyOf"):
		n.Get("anyOf").Items = append(n.Get("anyOf").Items, null)
	case len(types) > 0 && !n.Has("allOf"):
		n.Set("type", texts(append(types, "null")...))
	default:
		// What has no type of its own, an allOf around a $ref for instance, is
		// nullable as one arm of a union.
		arm := &document.Node{Kind: document.Object, Fields: n.Fields}
		n.Fields = []document.Field{{Name: "oneOf", Value: document.NewArray(arm, null)}}
	}
}

// liftArm makes a union of null and one schema that schema, nullable.
func liftArm(n *document.Node, keyword string, arm *document.Node) {
	n.Delete(keyword)
	for name, value := range arm.Members() {
		n.Set(name, value)
	}
	makeNullable(n)
}

// liftArms does so for what the merging of allOfs has left.
func (f *fixer) liftArms() {
	f.doc.WalkSchemas(func(_ document.Pointer, n *document.Node) {
		for _, keyword := range []string{"oneOf", "anyOf"} {
			list := arms(n)
			if n.Has(keyword) && len(list) == 1 && f.nullable(n) && len(more(n, keyword)) == 0 && isUnion(list[0]) {
				liftArm(n, keyword, list[0])
			}
		}
	})
}

// sayNull has a union admit null by an arm of its own where one of the others
// does: the Go type of a union has no place for it.
func (f *fixer) sayNull(p document.Pointer, n *document.Node, keyword string) {
	list := n.Get(keyword).All()
	if len(list) == 0 || slices.ContainsFunc(list, isNull) || !f.admitsNull(n) {
		return
	}
	n.Get(keyword).Items = append(list, document.NewObject("type", "null"))
	f.fixed(p, "null is among the values of an arm; its %s says so now", keyword)
}

// nullInUnion looks at unions of null and one other schema, which are that
// schema, nullable. A referenced one that stands alone the generator understands
// by itself; beside other keywords it would forget those.
func nullInUnion(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		for _, keyword := range []string{"oneOf", "anyOf"} {
			f.sayNull(p, n, keyword)
			list := n.Get(keyword).All()
			others := slices.DeleteFunc(slices.Clone(list), isNull)
			if len(others) != 1 || len(others) == len(list) {
				continue
			}
			other := others[0]
			switch {
			case len(more(n, keyword, "type")) > 0:
				n.Delete(keyword)
				all := document.NewArray(other)
				all.Items = append(n.Get("allOf").All(), all.Items...)
				n.Set("allOf", all)
				makeNullable(n)
				f.fixed(p, "its %s with null is the way to say nullable", keyword)
			case other.Has("$ref") || other.Has("allOf"):
			case len(typesOf(other)) > 0 || isUnion(other):
				liftArm(n, keyword, other)
				f.fixed(p, "its %s with null is the way to say nullable", keyword)
			}
		}
	})
	return nil
}
