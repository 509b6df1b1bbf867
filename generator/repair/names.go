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
	"Endpoints", "EndpointsOf", "FindOperation", "KeyHeader", "Mount", "Operations", "Register", "Router",
	"StrictServerInterface", "Unimplemented",
}

// distinctNames gives components Go names that nothing else has: neither a
// component of another section, nor what the generator derives from an
// operation, nor what every generated package declares. A name depends only on
// what it collides with, so that an unrelated schema never changes it. Inline
// schemas that become types follow, and give way to components.
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
	f.distinctInline(taken)
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
		if taken[goName] || !isGoName(goName) {
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
	for _, op := range f.operations() {
		id := oapi.TypeName(op.Get("operationId").Str())
		taken[id+"Params"], taken[id+"RequestObject"], taken[id+"ResponseObject"] = true, true, true
		for mediaType := range f.doc.Resolve(op.Get("requestBody")).Get("content").Members() {
			tag := mediaTag(mediaType)
			taken[id+tag+"Body"], taken[id+tag+"RequestBody"] = true, true
		}
		for status, response := range op.Get("responses").Members() {
			answer := id + statusName(status)
			taken[answer+"Response"], taken[answer+"ResponseHeaders"] = true, true
			for mediaType := range f.doc.Resolve(response).Get("content").Members() {
				tag := mediaTag(mediaType)
				taken[answer+tag+"Response"], taken[id+status+tag+"ResponseBody"] = true, true
			}
		}
	}
	return taken
}

// statusName is what the generated code calls a status.
func statusName(status string) string {
	if status == "default" {
		return "Default"
	}
	return status
}

// mediaTag is what the generator calls a media type.
func mediaTag(mediaType string) string {
	switch {
	case mediaType == "application/json":
		return "JSON"
	case mediaType == "text/plain":
		return "Text"
	case mediaType == "application/x-www-form-urlencoded":
		return "Formdata"
	case strings.HasPrefix(mediaType, "multipart/"):
		return "Multipart"
	}
	return oapi.TypeName(mediaType)
}

func (f *fixer) applyRenames() error {
	for _, from := range slices.Sorted(maps.Keys(f.opts.Renames)) {
		to := f.opts.Renames[from]
		switch {
		case !f.schemas().Has(from):
			return fmt.Errorf("renames: the document has no schema %s", from)
		case oapi.TypeName(to) != to || !isGoName(to):
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
		if n.Get("$ref").Str() == oldRef {
			n.Set("$ref", document.NewString(newRef))
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
