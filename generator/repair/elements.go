package repair

import "github.com/onceberg/onceberg/generator/document"

// nameElements looks at a component that is an array of objects in which it is
// met again. In Go the array is an alias and the objects have no name, and an
// alias cannot stand for what it is part of; a type with a name can.
func (f *fixer) nameElements(name string) {
	at, n := schemaPointer(name), f.schemas().Get(name)
	for n.Has("items") {
		at, n = at.To("items"), n.Get("items")
	}
	if at == schemaPointer(name) || !isNameless(n) || !f.meets(n, name, map[string]bool{}) {
		return
	}
	component := f.hoist(deepName(at), n)
	f.fixed(at, "the elements lead back to what they are elements of, for which Go needs a name; they are the component %s now", component)
}

// isNameless reports whether an inline schema is a struct or a map that Go writes
// out where it is used.
func isNameless(n *document.Node) bool {
	return isType(n, "object") && !isUnion(n) && !n.Has("x-go-type") && !(n.Has("properties") && freeMembers(n))
}

// meets follows an inline schema through all that has no type with a name to the
// component called name.
func (f *fixer) meets(n *document.Node, name string, seen map[string]bool) bool {
	if ref := n.Get("$ref").Str(); ref != "" {
		target := document.SchemaName(ref)
		if target == name || seen[target] {
			return target == name
		}
		seen[target] = true
		n = f.schemas().Get(target)
		alias := n.Has("items") || n.Has("allOf") || isUnion(n) && len(arms(n)) == 1
		return alias && f.meets(n, name, seen)
	}
	if all := n.Get("allOf").All(); len(all) == 1 {
		return f.meets(all[0], name, seen)
	}
	if items := n.Get("items"); items != nil {
		return f.meets(items, name, seen)
	}
	if !isNameless(n) {
		list := arms(n)
		return len(list) == 1 && f.nullable(n) && f.meets(list[0], name, seen)
	}
	for _, property := range n.Get("properties").Members() {
		if f.meets(property, name, seen) {
			return true
		}
	}
	return freeMembers(n) && f.meets(n.Get("additionalProperties"), name, seen)
}
