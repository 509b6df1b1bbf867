package document

import (
	"slices"
	"strconv"
	"strings"

	"github.com/onceberg/onceberg/generator/grammar"
)

// CheckShape refuses, by an *Error, what is not of the form that OpenAPI asks for
// at its place: text where a schema must be, say, or null where an object must;
// and an object that lacks what it cannot be without.
// What stands in extensions, examples and defaults may have any form.
func (d *Document) CheckShape() error {
	if fault := d.checkObject(grammar.Document, d.Root, ""); fault != nil {
		return fault
	}
	return nil
}

func (d *Document) checkObject(k grammar.Kind, n *Node, p Pointer) *Error {
	if k == grammar.Schema && n.Kind == Bool {
		return nil // true admits anything, false nothing
	}
	if n.Kind != Object {
		return d.Errorf(p, "the %s must be an object, not %s", k, n.Kind.WithArticle())
	}
	for _, name := range grammar.Needs(k) {
		if !n.Has(name) && !n.Has("$ref") {
			return d.Errorf(p, "the %s has no %s", k, name)
		}
	}
	for name, value := range n.Members() {
		if fault := d.checkValue(grammar.PlaceOf(k, name).Rule, value, p.To(name)); fault != nil {
			return fault
		}
	}
	return nil
}

func (d *Document) checkValue(r grammar.Rule, n *Node, p Pointer) *Error {
	asObject := func(n *Node, p Pointer) *Error { return d.checkObject(r.Of, n, p) }
	asText := func(n *Node, p Pointer) *Error { return d.mustBe(String, n, p) }
	switch r.Form {
	case grammar.One:
		return asObject(n, p)
	case grammar.Each:
		return d.checkElements(n, p, asObject)
	case grammar.Named:
		return d.checkMembers(n, p, asObject)
	case grammar.Text, grammar.Title, grammar.Required:
		return asText(n, p)
	case grammar.Flag:
		return d.mustBe(Bool, n, p)
	case grammar.Number:
		return d.mustBe(Number, n, p)
	case grammar.Count:
		return d.mustBeCount(n, p)
	case grammar.List:
		return d.mustBe(Array, n, p)
	case grammar.Texts:
		return d.checkElements(n, p, asText)
	case grammar.TypeNames:
		if n.Kind == Array {
			return d.checkElements(n, p, d.mustBeType)
		}
		return d.mustBeType(n, p)
	case grammar.TextMap, grammar.Glossary:
		return d.checkMembers(n, p, asText)
	}
	if name := p.Last(); r.Form == grammar.Unlisted && (name == "description" || name == "summary") {
		return asText(n, p)
	}
	return nil
}

func (d *Document) mustBe(kind Kind, n *Node, p Pointer) *Error {
	if n.Kind == kind {
		return nil
	}
	if kind == Number && n.Kind == String && plainNumber.MatchString(n.Text) {
		if _, err := strconv.ParseFloat(n.Text, 64); err != nil { // which YAML takes for text
			return d.Errorf(p, "the number %s is out of range", n.Text)
		}
	}
	hint := ""
	if kind == String && (n.Kind == Number || n.Kind == Bool) {
		hint = "; put it in quotes"
	}
	return d.Errorf(p, "%s must stand here, not %s%s", kind.WithArticle(), n.Kind.WithArticle(), hint)
}

func (d *Document) mustBeCount(n *Node, p Pointer) *Error {
	if fault := d.mustBe(Number, n, p); fault != nil {
		return fault
	}
	if _, err := strconv.ParseUint(n.Text, 10, 64); err != nil {
		return d.Errorf(p, "%s is no count: a whole number from 0 on must stand here, in digits", n.Text)
	}
	return nil
}

func (d *Document) mustBeType(n *Node, p Pointer) *Error {
	types := strings.Fields(grammar.Types)
	if n.Kind == String && !slices.Contains(types, n.Text) {
		return d.Errorf(p, "%q is no type; there are %s", n.Text, strings.Join(types, ", "))
	}
	return d.mustBe(String, n, p)
}

func (d *Document) checkElements(n *Node, p Pointer, check func(*Node, Pointer) *Error) *Error {
	if fault := d.mustBe(Array, n, p); fault != nil {
		return fault
	}
	for i, item := range n.Elements() {
		if fault := check(item, p.Index(i)); fault != nil {
			return fault
		}
	}
	return nil
}

func (d *Document) checkMembers(n *Node, p Pointer, check func(*Node, Pointer) *Error) *Error {
	if fault := d.mustBe(Object, n, p); fault != nil {
		return fault
	}
	for name, value := range n.Members() {
		if fault := check(value, p.To(name)); fault != nil {
			return fault
		}
	}
	return nil
}
