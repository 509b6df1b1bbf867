package repair

import (
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// inlinePathItems keeps a path item's pointer that of its path, where the key's
// declaration is looked for.
func inlinePathItems(f *fixer) error {
	paths := f.doc.Root.Get("paths")
	for path, item := range f.doc.PathItems() {
		ref, ok := item.Ref()
		if !ok {
			continue
		}
		copied := f.doc.Resolve(item).Clone()
		for name, value := range item.Members() { // such as parameters beside the $ref
			if name != "$ref" && !copied.Has(name) {
				copied.Set(name, value)
			}
		}
		paths.Set(path, copied)
		f.fixed(document.Pointer("/paths").To(path), "the path item stands at %s; it is copied here", ref.Ref())
	}
	return nil
}

// headersFromParameters mends response headers that refer to a parameter. The
// header takes the parameter's own name, which is the one on the wire; the name
// it stood under in the response is only a key of the document.
func headersFromParameters(f *fixer) error {
	var failed error
	f.doc.WalkStructure(func(p document.Pointer, n *document.Node) {
		headers := n.Get("headers")
		if headers == nil || !isResponse(n) {
			return
		}
		for key, header := range headers.Members() {
			ref, ok := header.Ref()
			if !ok || !strings.HasPrefix(string(ref), "/components/parameters/") {
				continue
			}
			at := p.To("headers", key)
			parameter := f.doc.Resolve(header)
			name := parameter.Get("name").Str()
			if parameter.Get("in").Str() != "header" || name == "" || (!strings.EqualFold(name, key) && headers.Has(name)) {
				failed = f.doc.Errorf(at, "a response header refers to %s, which does not describe a header", ref.Ref())
				continue
			}
			headers.Set(key, headerObject(parameter))
			headers.Rename(key, name)
			f.fixed(at, "a response header refers to the parameter %s; it becomes the header %s with the parameter's schema", ref.Ref(), name)
		}
	})
	return failed
}

func isResponse(n *document.Node) bool { return n.Has("description") && !n.Has("in") }

// headerObject keeps what a header object may hold.
func headerObject(parameter *document.Node) *document.Node {
	header := document.NewObject()
	for name, value := range parameter.Members() {
		if name != "name" && name != "in" && name != "allowEmptyValue" && name != "allowReserved" {
			header.Set(name, value.Clone())
		}
	}
	return header
}

// shaping are the keywords that change which data a schema admits in a way that
// a Go type shows.
var shaping = []string{"nullable", "type", "properties", "additionalProperties", "items", "allOf", "anyOf", "oneOf", "required", "patternProperties"}

// refSiblings runs before nullability is looked at, so that a nullable beside a
// $ref is seen. Keywords that only narrow values or describe them, such as const
// and description, make no difference to a Go type and are dropped.
func refSiblings(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if !n.Has("$ref") || len(n.Fields) == 1 {
			return
		}
		ref := n.Get("$ref")
		kept := document.NewObject("allOf", document.NewArray(document.NewObject("$ref", ref)))
		var moved []string
		for name, value := range n.Members() {
			switch {
			case name == "allOf":
				kept.Get("allOf").Items = append(kept.Get("allOf").Items, value.All()...)
				moved = append(moved, name)
			case slices.Contains(shaping, name):
				kept.Set(name, value)
				moved = append(moved, name)
			}
		}
		if len(moved) > 0 {
			n.Fields = kept.Fields
			f.fixed(p, "%s beside a $ref moves into an allOf with %s", strings.Join(moved, ", "), ref.Text)
			return
		}
		if dropped := more(n, "$ref"); len(dropped) > 0 {
			f.fixed(p, "%s beside a $ref narrows values only; the Go type is that of %s", strings.Join(dropped, ", "), ref.Text)
		}
		n.Fields = []document.Field{{Name: "$ref", Value: ref}}
	})
	return nil
}
