package golden

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
	"github.com/onceberg/onceberg/generator/plan"
)

// subject is a schema, as it was read, with the Go type it became.
type subject struct {
	name   string         // for messages and the wire between test and harness
	schema *document.Node // as read
	make   string         // Go: an expression for something to decode into
	shape  string         // of a request body
}

// subjects are all components that bodies reach, and the bodies that are no
// components themselves.
func subjects(t testing.TB, a *generator.Analysis, dir string) []subject {
	t.Helper()
	c := collector{t: t, a: a, received: reach{doc: a.Read}, sent: reach{doc: a.Read}}
	for path, item := range a.Read.PathItems() {
		item = a.Read.Resolve(item)
		for _, method := range document.Methods {
			if op := item.Get(method); op != nil {
				c.operation(path, method, op)
			}
		}
	}
	c.components()
	types := declaredTypes(t, dir)
	return slices.DeleteFunc(c.found, func(s subject) bool {
		goType := constructor.FindStringSubmatch(s.make)[1]
		if !types[goType] && s.make[0] == '&' {
			t.Errorf("%s: no Go type %s was generated", s.name, goType)
		}
		return !types[goType] // what is raw JSON in its place has no type
	})
}

type collector struct {
	t              testing.TB
	a              *generator.Analysis
	received, sent reach
	found          []subject
}

func (c *collector) operation(path, method string, node *document.Node) {
	op := operation(c.t, c.a, path, method)
	name := oapi.TypeName(op.ID)
	if schema := jsonSchema(c.a.Read, node.Get("requestBody")); schema != nil {
		c.received.visit(schema)
		c.add(subject{"request of " + name, schema, "new(" + name + "JSONRequestBody)", op.Body})
	}
	for status, response := range node.Get("responses").Members() {
		if schema := jsonSchema(c.a.Read, response); schema != nil {
			c.sent.visit(schema)
			answer := name + strings.Replace(status, "default", "Default", 1) + "JSONResponse"
			c.add(subject{status + " of " + name, schema, "&new(" + answer + ").Body", ""})
		}
	}
}

// add leaves out what only refers to a component, which is a subject itself.
func (c *collector) add(s subject) {
	if !s.schema.Has("$ref") {
		c.found = append(c.found, s)
	}
}

func (c *collector) components() {
	shapes := map[string]bool{}
	for _, s := range c.a.Plan.Shapes {
		shapes[s.Name] = true
	}
	for name, schema := range c.a.Read.Root.At("components", "schemas").Members() {
		if !c.received.seen[schema] && !c.sent.seen[schema] {
			continue
		}
		repaired, shape := repairedName(c.a, schema), ""
		if c.received.seen[schema] && shapes[repaired] {
			shape = repaired
		}
		c.add(subject{name, schema, "new(" + oapi.TypeName(repaired) + ")", shape})
	}
}

var constructor = regexp.MustCompile(`^&?new\((\w+)\)`)

// operation finds the plan's view of an operation.
func operation(t testing.TB, a *generator.Analysis, path, method string) plan.Operation {
	t.Helper()
	for _, op := range a.Plan.Operations {
		if op.Path == path && strings.EqualFold(op.Method, method) {
			return op
		}
	}
	t.Fatalf("the plan lacks %s %s", method, path)
	return plan.Operation{}
}

func jsonSchema(doc *document.Document, holder *document.Node) *document.Node {
	return doc.Resolve(holder).At("content", "application/json", "schema")
}

// repairedName is the name a component has after the repairs; it still stands in
// its line.
func repairedName(a *generator.Analysis, schema *document.Node) string {
	for name, candidate := range a.Repaired.Root.At("components", "schemas").Members() {
		if candidate.Line == schema.Line && candidate.Column == schema.Column {
			return name
		}
	}
	return ""
}

// reach collects the schemas that can occur in a value of another: by $ref, as
// the subtype of a discriminated base, or in place.
type reach struct {
	doc  *document.Document
	seen map[*document.Node]bool
}

func (r *reach) visit(n *document.Node) {
	if r.seen == nil {
		r.seen = map[*document.Node]bool{}
	}
	if n == nil || r.seen[n] {
		return
	}
	r.seen[n] = true
	if ref, ok := n.Ref(); ok {
		r.visit(r.doc.Lookup(ref))
	}
	if n.Has("discriminator") {
		for _, subtype := range (instances{doc: r.doc}).subtypes(n, map[*document.Node]bool{}) {
			r.visit(subtype)
		}
	}
	r.inside(n, 0)
}

// inside visits what values of a schema hold. What an allOf puts together is
// part of another type then, and need not be one itself.
func (r *reach) inside(n *document.Node, depth int) {
	if depth > deepest {
		return
	}
	for _, keyword := range []string{"anyOf", "oneOf", "prefixItems"} {
		for _, member := range n.Get(keyword).All() {
			r.visit(member)
		}
	}
	for _, member := range n.Get("allOf").All() {
		if len(n.Get("allOf").All()) == 1 && !n.Has("properties") && !n.Has("required") {
			r.visit(member)
		} else {
			r.inside(r.doc.Resolve(member), depth+1)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		r.visit(n.Get(keyword))
	}
	for _, keyword := range []string{"properties", "patternProperties"} {
		for _, property := range n.Get(keyword).Members() {
			r.visit(property)
		}
	}
}

// declaredTypes are the names of the types that a folder of Go files declares.
func declaredTypes(t testing.TB, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if general, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range general.Specs {
					if typeSpec, ok := spec.(*ast.TypeSpec); ok {
						types[typeSpec.Name.Name] = true
					}
				}
			}
		}
	}
	return types
}

// registry is Go source that lists the subjects for the harness.
func registry(pkg string, list []subject) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\nvar subjects = map[string]subject{\n", pkg)
	for _, s := range list {
		fmt.Fprintf(&out, "\t%q: {func() any { return %s }, %q},\n", s.name, s.make, s.shape)
	}
	out.WriteString("}\n")
	return out.Bytes()
}
