package golden

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/document"
)

var (
	mutations    = flag.Int("mutations", 30, "how many random documents to compile")
	mutationSeed = flag.Uint64("mutation-seed", 1, "where the random documents begin")
)

// TestMutations changes the cases' documents at random, as no person would write
// them, and compiles what comes out. A document may be refused, with an error
// that names the place; nothing panics, runs for ever, or gives code that is
// none.
func TestMutations(t *testing.T) {
	t.Parallel()
	var documents []*document.Document
	for _, c := range readCases(t) {
		if d, err := document.Parse("api.json", c.spec); err == nil && d.Check() == nil && d.Root.At("components").Has("schemas") {
			documents = append(documents, d)
		}
	}
	m := newModule(t)
	m.write(t, "doc.go", []byte("package golden\n"))
	random := mutator{rand.New(rand.NewPCG(*mutationSeed, 0))}
	refused := 0
	for compiled := 0; compiled < *mutations; {
		d := documents[random.IntN(len(documents))].Clone()
		random.mutate(d)
		text := d.Root.JSON()
		c := specConfig("api.json")
		c.Package = fmt.Sprintf("mutation%d", compiled)
		c.Out = m.path(c.Package)
		_, err := generator.Generate(text, c)
		var fault *document.Error
		switch {
		case err == nil:
			m.write(t, c.Package+"/api.json", text)
			compiled++
		case errors.As(err, &fault):
			if refused++; refused > 10**mutations {
				t.Fatalf("hardly a document is admitted: %v", err)
			}
		default:
			t.Fatalf("an error without a place: %v\n%s", err, text)
		}
	}
	if t.Failed() {
		return
	}
	m.tool(t, "vet", "./...")
}

type mutator struct{ *rand.Rand }

// mutate changes up to six schemas: to another of the document, to a reference,
// to a composition, or by a keyword that another has.
func (m mutator) mutate(d *document.Document) {
	var refs []string
	for name := range d.Root.At("components", "schemas").Members() {
		refs = append(refs, "#/components/schemas/"+name)
	}
	for range 1 + m.IntN(6) {
		var schemas []*document.Node
		d.WalkSchemas(func(_ document.Pointer, n *document.Node) { schemas = append(schemas, n) })
		target, other := schemas[m.IntN(len(schemas))], schemas[m.IntN(len(schemas))].Clone()
		ref := refs[m.IntN(len(refs))]
		switch m.IntN(7) {
		case 0:
			*target = *other
		case 1:
			target.Fields = []document.Field{{Name: "$ref", Value: document.NewString(ref)}}
		case 2:
			keyword := []string{"allOf", "oneOf", "anyOf"}[m.IntN(3)]
			target.Set(keyword, document.NewArray(other, document.NewObject("$ref", ref)))
		case 3:
			target.Set("additionalProperties", other)
		case 4:
			target.Set("nullable", document.NewBool(true))
		case 5:
			target.Set("discriminator", document.NewObject("propertyName", []string{"kind", "type", "a"}[m.IntN(3)]))
		case 6:
			if len(other.Fields) > 0 {
				field := other.Fields[m.IntN(len(other.Fields))]
				target.Set(field.Name, field.Value)
			}
		}
	}
}
