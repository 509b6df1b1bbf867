package document

import "github.com/onceberg/onceberg/generator/grammar"

// checkTarget refuses a reference to an object of another kind than belongs at
// its place, such as a schema that is said to stand where an operation does. What
// stands in an extension can be of any kind, but must have the form.
func (d *Document) checkTarget(at Pointer, ref *Node) *Error {
	kind, _ := kindAt(at)
	target, _ := refPointer(ref.Text)
	found, free := kindAt(target)
	if free {
		end, n := d.ResolveAt(target)
		if n == nil {
			return d.Errorf(at.To("$ref"), "unresolvable $ref %q", ref.Text)
		}
		if found, free = kindAt(end); free {
			return d.checkObject(kind, n, end)
		}
	}
	if found == kind || kind == grammar.Header && found == grammar.Parameter { // which is repaired
		return nil
	}
	return d.Errorf(at.To("$ref"), "$ref %q leads to what is no %s", ref.Text, kind)
}

// kindAt says which kind of object stands at a pointer by the grammar: none where
// something else does, and any where the place is free.
func kindAt(p Pointer) (k grammar.Kind, free bool) {
	place := grammar.Rule{Form: grammar.One, Of: grammar.Document}
	for _, token := range p.Tokens() {
		switch place.Form {
		case grammar.One:
			place = grammar.PlaceOf(place.Of, token).Rule
		case grammar.Each, grammar.Named:
			place.Form = grammar.One
		case grammar.Unlisted:
			return "", true
		default:
			return "", false
		}
	}
	if place.Form != grammar.One {
		return "", place.Form == grammar.Unlisted
	}
	return place.Of, false
}
