package repair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
)

// sections are the component sections whose members become Go types, with the
// suffix that tells a member from one of the same name in an earlier section.
// Schemas come first and keep their names: they are what people know.
var sections = []struct{ name, suffix string }{
	{"schemas", "Schema"},
	{"parameters", "Parameter"},
	{"requestBodies", "Body"},
	{"headers", "Header"},
	{"responses", "Response"},
}

// reserved are names that the generated code declares itself.
var reserved = []string{
	"Endpoints", "EchoRouter", "Mount", "Operations", "Register", "ServerInterface",
	"StrictServerInterface", "Unimplemented",
}

// distinctNames gives components Go names that nothing else has: neither a
// component of another section, nor what the generator derives from an
// operation, nor what every generated package declares. A name depends only on
// what it collides with, so that an unrelated schema never changes it.
func distinctNames(f *fixer) error {
	if err := f.applyRenames(); err != nil {
		return err
	}
	taken := f.takenByOperations()
	for _, section := range sections {
		members := f.doc.Root.At("components", section.name)
		for _, name := range fieldNames(members) {
			unique := name
			for n := 1; clash(taken, section.name, unique); n++ {
				unique = name + section.suffix
				if n > 1 {
					unique = fmt.Sprintf("%s%d", unique, n)
				}
			}
			for _, goName := range goNames(section.name, unique) {
				taken[goName] = true
			}
			if unique == name {
				continue
			}
			from := document.Pointer("/components").To(section.name, name)
			f.renameComponent(section.name, name, unique)
			f.fixed(from, "the Go name %s is taken by another component or operation; it is called %s in Go", oapi.TypeName(name), oapi.TypeName(unique))
		}
	}
	return nil
}

func fieldNames(n *document.Node) []string {
	var names []string
	for name := range n.Members() {
		names = append(names, name)
	}
	return names
}

// goNames are the Go identifiers that a component leads to.
func goNames(section, name string) []string {
	typeName := oapi.TypeName(name)
	switch section {
	case "responses":
		return []string{typeName, typeName + "JSONResponse", typeName + "TextResponse", typeName + "ResponseHeaders"}
	case "requestBodies":
		return []string{typeName, typeName + "JSONBody"}
	}
	return []string{typeName}
}

func clash(taken map[string]bool, section, name string) bool {
	for _, goName := range goNames(section, name) {
		if taken[goName] {
			return true
		}
	}
	return false
}

// takenByOperations are the types derived from operations. They carry the
// operation's name and cannot be renamed without renaming its method.
func (f *fixer) takenByOperations() map[string]bool {
	taken := map[string]bool{}
	for _, name := range reserved {
		taken[name] = true
	}
	for _, item := range f.doc.PathItems() {
		for _, method := range document.Methods {
			op := item.Get(method)
			if op == nil {
				continue
			}
			id := oapi.TypeName(op.Get("operationId").Str())
			for _, suffix := range []string{
				"Params", "JSONBody", "JSONRequestBody", "FormdataBody", "FormdataRequestBody",
				"TextBody", "TextRequestBody", "MultipartBody", "MultipartRequestBody",
				"RequestObject", "ResponseObject",
			} {
				taken[id+suffix] = true
			}
			for status := range op.Get("responses").Members() {
				for _, suffix := range []string{"Response", "JSONResponse", "TextResponse", "ResponseHeaders"} {
					taken[id+status+suffix] = true
				}
			}
		}
	}
	return taken
}

func (f *fixer) applyRenames() error {
	for _, from := range slices.Sorted(maps.Keys(f.opts.Renames)) {
		to := f.opts.Renames[from]
		switch {
		case !f.schemas().Has(from):
			return fmt.Errorf("renames: the document has no schema %s", from)
		case oapi.TypeName(to) != to:
			return fmt.Errorf("renames: %s: %q is not an exported Go name", from, to)
		case f.schemas().Has(to):
			return fmt.Errorf("renames: %s: the document already has a schema %s", from, to)
		}
		f.renameComponent("schemas", from, to)
		f.fixed(schemaPointer(from), "the configuration calls it %s in Go", to)
	}
	return nil
}

// renameComponent renames a component and whatever refers to it. Component names
// never go over the wire.
func (f *fixer) renameComponent(section, from, to string) {
	f.doc.Root.At("components", section).Rename(from, to)
	base := document.Pointer("/components").To(section)
	oldRef, newRef := base.To(from).Ref(), base.To(to).Ref()
	f.doc.WalkStructure(func(_ document.Pointer, n *document.Node) {
		if n.Kind != document.Object {
			return
		}
		if ref := n.Get("$ref"); ref.Str() == oldRef || strings.HasPrefix(ref.Str(), oldRef+"/") {
			n.Set("$ref", document.NewString(newRef+strings.TrimPrefix(ref.Text, oldRef)))
		}
		if section != "schemas" {
			return
		}
		for value, target := range n.At("discriminator", "mapping").Members() {
			if document.SchemaName(target.Str()) == from {
				n.At("discriminator", "mapping").Set(value, document.NewString(newRef))
			}
		}
	})
}

// distinctFields names the Go fields of properties that differ only in what Go
// names cannot show, such as a dash.
func distinctFields(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		taken := map[string]bool{}
		if n.Has("additionalProperties") {
			taken["AdditionalProperties"] = true
		}
		for property, schema := range n.Get("properties").Members() {
			base := oapi.TypeName(property)
			name := base
			for i := 2; taken[name]; i++ {
				name = fmt.Sprintf("%s%d", base, i)
			}
			taken[name] = true
			if name != base && !schema.Has("x-go-name") {
				schema.Set("x-go-name", document.NewString(name))
				f.fixed(p.To("properties", property), "another property has the Go name %s; the field is called %s", base, name)
			}
		}
	})
	return nil
}
