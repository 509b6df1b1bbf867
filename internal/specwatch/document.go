package specwatch

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/spec"
)

const keyHeader = "Idempotency-Key"

// path is one of the document's, in segments.
type path struct {
	segments []string
	name     string
	item     *openapi3.PathItem
}

// book is the document and its paths, those with fixed segments first.
type book struct {
	document *openapi3.T
	paths    []path
	// refusal is the error that all operations have.
	refusal openapi3.Content
}

// theBook reads the document once for all tests of a process.
var theBook = sync.OnceValues(func() (*book, error) { return newBook(Amendments) })

func newBook(amendments []Amendment) (*book, error) {
	analysis, err := generator.Analyze(spec.Document(), generator.Config{Spec: "spec/rest-catalog-open-api.yaml", Header: keyHeader})
	if err != nil {
		return nil, err
	}
	d := analysis.Repaired
	restoreSiblings(d, analysis.Read)
	for _, a := range amendments {
		a.amend(d)
	}
	simplify(d)
	parsed, err := openapi3.NewLoader().LoadFromData(d.Root.JSON())
	if err != nil {
		return nil, fmt.Errorf("reading the repaired document: %w", err)
	}
	b := &book{document: parsed, refusal: parsed.Components.Responses[errorResponse].Value.Content}
	for name, item := range parsed.Paths.Map() {
		for _, form := range []string{name, strings.Replace(name, "/{prefix}", "", 1)} {
			b.paths = append(b.paths, path{strings.Split(form, "/"), name, item})
		}
	}
	slices.SortFunc(b.paths, func(a, b path) int {
		return cmp.Or(-slices.CompareFunc(a.segments, b.segments, fixedFirst), strings.Compare(a.name, b.name))
	})
	return b, nil
}

// restoreSiblings puts back what stands beside a $ref and only narrows values:
// Go types cannot say it, so the repairs drop it, and a filter can.
func restoreSiblings(repaired, read *document.Document) {
	read.WalkSchemas(func(p document.Pointer, n *document.Node) {
		target := repaired.Lookup(p)
		if !n.Has("$ref") || !target.Has("$ref") {
			return
		}
		for _, keyword := range []string{"const", "enum"} {
			if value := n.Get(keyword); value != nil {
				target.Set("allOf", document.NewArray(document.NewObject("$ref", target.Get("$ref"))))
				target.Set(keyword, value)
			}
		}
		if target.Has("allOf") {
			target.Delete("$ref")
		}
	})
}

// simplify spares each exchange the compilation of its schemas, which is what
// kin-openapi does for OpenAPI 3.1: of what 3.1 adds, the document has const alone,
// and that is an enumeration of one.
func simplify(d *document.Document) {
	d.WalkSchemas(func(_ document.Pointer, n *document.Node) {
		if value := n.Get("const"); value != nil {
			n.Set("enum", document.NewArray(value))
			n.Delete("const")
		}
	})
	// A form is an object; kin-openapi reads none if its schema does not say so.
	schema(d, "OAuthTokenRequest").Set("type", document.NewString("object"))
	d.Root.Set("openapi", document.NewString("3.0.3"))
}

// fixedFirst orders parameters below fixed segments.
func fixedFirst(a, b string) int {
	switch {
	case isParameter(a) == isParameter(b):
		return 0
	case isParameter(a):
		return -1
	}
	return 1
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

// find returns the operation that a request is for, and its path parameters; nil
// when the document has none.
func (b *book) find(r *http.Request) (*routers.Route, map[string]string) {
	segments := strings.Split(rawPath(r), "/")
	for _, p := range b.paths {
		op := p.item.GetOperation(r.Method)
		if op == nil {
			continue
		}
		if parameters, ok := p.match(segments); ok {
			return &routers.Route{
				Spec: b.document, Path: p.name, PathItem: p.item, Method: r.Method, Operation: op,
			}, parameters
		}
	}
	return nil, nil
}

// match returns the parameters of a path that fits. A prefix that is left out
// counts as one: the document requires it, its clients do not send it.
func (p path) match(segments []string) (map[string]string, bool) {
	if len(segments) != len(p.segments) {
		return nil, false
	}
	parameters := map[string]string{"prefix": "left out"}
	for i, want := range p.segments {
		switch {
		case isParameter(want):
			// As forms are decoded, which is how Iceberg's clients encode.
			value, err := url.QueryUnescape(segments[i])
			if err != nil || value == "" {
				return nil, false
			}
			parameters[strings.Trim(want, "{}")] = value
		case want != segments[i]:
			return nil, false
		}
	}
	return parameters, true
}

// rawPath is the path as it goes over the wire.
func rawPath(r *http.Request) string {
	if r.RequestURI != "" { // it came over the wire
		raw, _, _ := strings.Cut(r.RequestURI, "?")
		return raw
	}
	if opaque, ok := strings.CutPrefix(r.URL.Opaque, "//"+r.URL.Host); ok {
		return opaque
	}
	return r.URL.EscapedPath()
}
