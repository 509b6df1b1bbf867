package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// Plan is what the generator knows of a document's operations.
type Plan struct {
	// Title and Version are the document's own.
	Title, Version string
	// OpenAPI is the version of OpenAPI it is written in.
	OpenAPI string
	// KeyHeader is the header that carries the idempotency key, in canonical
	// form.
	KeyHeader string
	// Operations are in the order of the document: by path, then by method in
	// the order of document.Methods.
	Operations []Operation
	// Shapes are the schemas that request bodies are checked against, sorted by
	// name.
	Shapes []Shape
}

// Options say what the document cannot know.
type Options struct {
	// Header is the name of the key's header; empty means Idempotency-Key. It is
	// compared without regard to case.
	Header string
	// Also lists operations to treat as idempotent though the document does not
	// declare the header on them; Except lists operations not to.
	Also, Except []string
	// SecretFields adds names of response properties that must not be stored.
	SecretFields []string
}

// DefaultHeader is the header that Iceberg's document declares.
const DefaultHeader = "Idempotency-Key"

// Build makes the plan. read is the document before its repairs: it still shows
// what a raw schema hides. An option that names an operation the document does
// not have, or that declares one both ways, is an error; so is a secret field that
// no response has, and a path that Echo cannot route, or cannot tell from another
// one.
func Build(read, repaired *document.Document, opts Options) (*Plan, error) {
	b := &builder{read: read, doc: repaired, opts: opts, header: cmp.Or(opts.Header, DefaultHeader), holders: newHolders(read, opts.SecretFields)}
	p := &Plan{
		Title:     repaired.Root.At("info", "title").Str(),
		Version:   repaired.Root.At("info", "version").Str(),
		OpenAPI:   read.Version(),
		KeyHeader: canonical(b.header),
	}
	for path, item := range repaired.PathItems() {
		for _, method := range document.Methods {
			if item.Get(method) == nil {
				continue
			}
			op, err := b.operation(path, method, item)
			if err != nil {
				return nil, err
			}
			p.Operations = append(p.Operations, op)
		}
	}
	if err := b.checkRoutes(p); err != nil {
		return nil, err
	}
	if err := b.checkLists(p); err != nil {
		return nil, err
	}
	if err := b.checkSecretFields(); err != nil {
		return nil, err
	}
	p.Shapes = b.shapes()
	p.withoutPrefix()
	return p, nil
}

// Find returns the operation with an id.
func (p *Plan) Find(id string) (Operation, bool) {
	i := slices.IndexFunc(p.Operations, func(op Operation) bool { return op.ID == id })
	if i < 0 {
		return Operation{}, false
	}
	return p.Operations[i], true
}

// Declaring counts the operations on which the document itself declares the key.
func (p *Plan) Declaring() int {
	n := 0
	for _, op := range p.Operations {
		if op.Declares() {
			n++
		}
	}
	return n
}

func (b *builder) checkLists(p *Plan) error {
	for _, list := range []struct {
		key string
		ids []string
	}{{"also", b.opts.Also}, {"except", b.opts.Except}} {
		for _, id := range list.ids {
			op, ok := p.Find(id)
			switch {
			case !ok:
				return fmt.Errorf("%s: the document has no operation %q; %s", list.key, id, p.nearest(id))
			case list.key == "also" && !op.Mutates():
				return fmt.Errorf("also: %s is a %s, and reads take no idempotency key", id, op.Method)
			case list.key == "also" && slices.Contains(b.opts.Except, id):
				return fmt.Errorf("also and except both name the operation %s", id)
			}
		}
	}
	return nil
}

// nearest helps with a mistyped operation id.
func (p *Plan) nearest(id string) string {
	ids := make([]string, 0, len(p.Operations))
	for _, op := range p.Operations {
		if strings.EqualFold(op.ID, id) {
			return fmt.Sprintf("did you mean %q?", op.ID)
		}
		ids = append(ids, op.ID)
	}
	slices.Sort(ids)
	return "it has " + strings.Join(ids, ", ")
}
