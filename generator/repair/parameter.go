package repair

import (
	"fmt"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
)

// textParameters makes strings of parameters and headers that may be anything,
// or one of several things: what stands in a path, a query or a header is text,
// and only the implementation can say what is meant. Those whose content is JSON
// stay as they are. A body of plain text is a string, whatever its schema says.
func textParameters(f *fixer) error {
	f.doc.WalkStructure(func(p document.Pointer, n *document.Node) {
		schema := n.Get("schema")
		if schema == nil {
			return
		}
		if p.Last() == "text/plain" && !isType(f.doc.Resolve(schema), "string") {
			n.Set("schema", document.NewObject("type", "string"))
			f.fixed(p.To("schema"), "a body of plain text is a string")
			return
		}
		if !n.Has("in") && !isHeader(p) {
			return
		}
		resolved := f.doc.Resolve(schema)
		if items := resolved.Get("items"); items != nil && f.anything(items) {
			resolved = document.NewObject("type", "array", "items", document.NewObject("type", "string"))
		} else if f.anything(resolved) {
			resolved = document.NewObject("type", "string")
		} else {
			return
		}
		n.Set("schema", resolved)
		f.fixed(p.To("schema"), "it may be one of several things, and all of them are text here; it is a string")
	})
	return nil
}

func isHeader(p document.Pointer) bool {
	tokens := p.Tokens()
	return len(tokens) > 1 && tokens[len(tokens)-2] == "headers"
}

// anything reports whether a schema has no Go type that text could be bound to.
func (f *fixer) anything(n *document.Node) bool {
	seen := map[*document.Node]bool{} // a union may be its own arm
	for {
		n = f.doc.Resolve(n)
		switch {
		case isRaw(n) || seen[n]:
			return true
		case !isUnion(n):
			return false
		case len(arms(n)) != 1:
			return true
		}
		seen[n] = true
		n = arms(n)[0]
	}
}

// distinctParameters names the Go fields of an operation's parameters, which
// stand beside each other: those of the path with the body, the others in a
// struct of their own.
func distinctParameters(f *fixer) error {
	for at, op := range f.operations() {
		item := f.doc.Root.At("paths", at.Tokens()[1])
		own := op.Get("parameters")
		inPath := map[string]bool{"Body": true, "Params": true, "ContentType": true}
		for mediaType := range f.doc.Resolve(op.Get("requestBody")).Get("content").Members() {
			inPath[mediaTag(mediaType)+"Body"] = true
		}
		elsewhere := map[string]bool{}
		shared := item.Get("parameters")
		for i := range shared.All() {
			if !f.overridden(own, shared.Items[i]) {
				f.nameParameter(document.Pointer("/paths").To(at.Tokens()[1], "parameters").Index(i), &shared.Items[i], inPath, elsewhere)
			}
		}
		for i := range own.All() {
			f.nameParameter(at.To("parameters").Index(i), &own.Items[i], inPath, elsewhere)
		}
	}
	return nil
}

// overridden reports whether an operation has a parameter of its own in place of
// its path's.
func (f *fixer) overridden(own, parameter *document.Node) bool {
	p := f.doc.Resolve(parameter)
	for _, other := range own.All() {
		o := f.doc.Resolve(other)
		if o.Get("name").Str() == p.Get("name").Str() && o.Get("in").Str() == p.Get("in").Str() {
			return true
		}
	}
	return false
}

func (f *fixer) nameParameter(at document.Pointer, parameter **document.Node, inPath, elsewhere map[string]bool) {
	resolved := f.doc.Resolve(*parameter)
	taken := elsewhere
	if resolved.Get("in").Str() == "path" {
		taken = inPath
	}
	given := resolved.Get("x-go-name").Str()
	natural := oapi.TypeName(resolved.Get("name").Str())
	base, why := natural, "another parameter or field has the Go name "+natural
	if !isGoName(natural) {
		base, why = "Parameter", "no Go name can be made of it"
	}
	name := base
	if given != "" { // by another operation of the path
		name = given
	}
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	taken[name] = true
	if name == natural || name == given {
		return
	}
	*parameter = resolved.Clone()
	(*parameter).Set("x-go-name", document.NewString(name))
	f.fixed(at, "%s; the field is called %s", why, name)
}
