package repair

import (
	"regexp"
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

var inBraces = regexp.MustCompile(`\{([^{}]*)\}`)

// pathParameters makes a path and the parameters that are declared for it agree:
// one that the path has and nobody declares is text, and one that the path does
// not have cannot be sent.
func pathParameters(f *fixer) error {
	for path, item := range f.doc.PathItems() {
		var inPath []string
		for _, match := range inBraces.FindAllStringSubmatch(path, -1) {
			inPath = append(inPath, match[1])
		}
		at := document.Pointer("/paths").To(path)
		shared := f.declaredIn(at, item, inPath)
		for _, method := range document.Methods {
			if op := item.Get(method); op != nil {
				own := f.declaredIn(at.To(method), op, inPath)
				f.declareMissing(at.To(method), op, inPath, append(own, shared...))
			}
		}
	}
	return nil
}

// declaredIn lists the path parameters that an operation or a path item
// declares, and drops those that the path does not have.
func (f *fixer) declaredIn(at document.Pointer, holder *document.Node, inPath []string) []string {
	var declared []string
	list := holder.Get("parameters")
	if list == nil {
		return nil
	}
	list.Items = slices.DeleteFunc(list.Items, func(parameter *document.Node) bool {
		p := f.doc.Resolve(parameter)
		name := p.Get("name").Str()
		if p.Get("in").Str() != "path" {
			return false
		}
		if slices.Contains(inPath, name) {
			declared = append(declared, name)
			return false
		}
		f.fixed(at.To("parameters"), "the path has no parameter {%s}; its declaration is dropped", name)
		return true
	})
	return declared
}

func (f *fixer) declareMissing(at document.Pointer, op *document.Node, inPath, declared []string) {
	for _, name := range inPath {
		if slices.Contains(declared, name) {
			continue
		}
		if !op.Has("parameters") {
			op.Set("parameters", document.NewArray())
		}
		list := op.Get("parameters")
		list.Items = append(list.Items, document.NewObject(
			"name", name, "in", "path", "required", document.NewBool(true), "schema", document.NewObject("type", "string")))
		f.fixed(at, "the path parameter {%s} is not declared; it is taken as text", name)
	}
}
