package document

import (
	"regexp"
	"strings"

	"github.com/onceberg/onceberg/generator/grammar"
)

var supportedVersion = regexp.MustCompile(`^3\.[01](\.[0-9]+(-[0-9A-Za-z.-]+)?)?$`)

// Methods are the members of a path item that are operations, in the order in
// which OpenAPI lists them.
var Methods = strings.Fields(grammar.Methods)

// Check refuses a document that the generator cannot read as OpenAPI 3.0 or 3.1:
// no version or another one, a value of the wrong form, no operations, references
// that lead nowhere, out of the file, in circles, or to what cannot stand in their
// place, and operation ids that stand twice. Every refusal is an *Error.
func (d *Document) Check() error {
	if err := d.CheckVersion(); err != nil {
		return err
	}
	if err := d.CheckShape(); err != nil {
		return err
	}
	if err := d.checkPaths(); err != nil {
		return err
	}
	return d.checkRefs()
}

// Version returns the document's OpenAPI version.
func (d *Document) Version() string { return d.Root.Get("openapi").Str() }

// Is31 reports whether the document is OpenAPI 3.1, where schemas are JSON
// Schema 2020-12.
func (d *Document) Is31() bool { return len(d.Version()) > 2 && d.Version()[:3] == "3.1" }

// CheckVersion refuses, by an *Error, a document that is not OpenAPI 3.0 or 3.1.
func (d *Document) CheckVersion() error {
	version := d.Root.Get("openapi")
	switch {
	case version == nil && d.Root.Has("swagger"):
		return d.Errorf("/swagger", "Swagger %s is not supported; convert the document to OpenAPI 3", d.Root.Get("swagger").Text)
	case version == nil:
		return d.Errorf("", "not an OpenAPI document: it has no openapi version")
	case version.Kind == Number:
		version.Kind = String // an unquoted 3.1 is meant as text
	}
	if !supportedVersion.MatchString(version.Text) || version.Kind != String {
		return d.Errorf("/openapi", "OpenAPI version %q is not supported; 3.0 and 3.1 are", version.Text)
	}
	return nil
}

func (d *Document) checkPaths() error {
	if !d.Root.Has("paths") {
		return d.Errorf("/paths", "the document has no paths")
	}
	seen := map[string]Pointer{}
	count := 0
	for path, item := range d.PathItems() {
		p := Pointer("/paths").To(path)
		for _, method := range Methods {
			op := item.Get(method)
			if op == nil {
				continue
			}
			at := p.To(method)
			count++
			id := op.Get("operationId").Str()
			if first, twice := seen[id]; twice && id != "" {
				return d.Errorf(at.To("operationId"), "operationId %q stands twice: also at %s", id, first.Ref())
			}
			seen[id] = at
		}
	}
	if count == 0 {
		return d.Errorf("/paths", "the document declares no operation")
	}
	return nil
}

func (d *Document) checkRefs() error {
	var first error
	keep := func(err *Error) {
		if first == nil {
			first = err
		}
	}
	d.WalkStructure(func(p Pointer, n *Node) {
		if ref := n.Get("$ref"); ref != nil {
			if err := d.checkRef(p, ref); err != nil {
				keep(err)
			}
		}
		for value, target := range n.At("discriminator", "mapping").Members() {
			if d.Root.At("components", "schemas", SchemaName(target.Str())) == nil {
				keep(d.Errorf(p.To("discriminator", "mapping", value), "discriminator value %q maps to %q, which is not a schema of this document", value, target.Text))
			}
		}
	})
	return first
}

func (d *Document) checkRef(p Pointer, ref *Node) *Error {
	at := p.To("$ref")
	target, local := refPointer(ref.Text)
	switch {
	case !local:
		return d.Errorf(at, "$ref %q leads out of this file; bundle the document into one file first", ref.Text)
	case d.Lookup(target) == nil:
		return d.Errorf(at, "unresolvable $ref %q", ref.Text)
	}
	// A chain that ends at nothing is told at its last link.
	if last, end := d.resolve(p, d.Lookup(p)); end == nil && d.Lookup(last) != nil {
		return d.Errorf(at, "circular $ref %q: it leads back to itself", ref.Text)
	}
	return d.checkTarget(p, ref)
}
