package repair

import (
	"fmt"

	"github.com/onceberg/onceberg/generator/document"
)

// Repair is one change made to a document.
type Repair struct {
	// Name is the kind of repair, one of the names in Kinds.
	Name string `json:"name"`
	// Pointer is the JSON pointer of what was changed, in the document as read.
	Pointer string `json:"pointer"`
	// Reason says what was wrong and what was done.
	Reason string `json:"reason"`
}

// Options say what the document cannot know.
type Options struct {
	// Raw lists component schemas to keep as raw JSON.
	Raw []string
	// Optional lists properties, as Schema.property, that the document requires
	// and clients leave out all the same.
	Optional []string
	// Renames gives component schemas another Go name.
	Renames map[string]string
}

// Kind describes one kind of repair.
type Kind struct {
	Name string
	// What is one line on the fault and its remedy.
	What string
	run  func(*fixer) error
}

// Kinds lists all repairs in the order in which they run.
var Kinds = []Kind{
	{"operation-id", "an operation without operationId gets one made from method and path", operationIDs},
	{"inline-path-item", "a path item behind a $ref is put in its place", inlinePathItems},
	{"header-from-parameter", "a response header that refers to a parameter becomes a header of that name and schema", headersFromParameters},
	{"ref-siblings", "keywords beside a $ref, which OpenAPI 3.0 ignores, move into an allOf or are dropped where they do not shape the data", refSiblings},
	{"leftover-nullable", "nullable, a keyword of OpenAPI 3.0, becomes the type null in a 3.1 document", leftoverNullable},
	{"null-in-union", "a union with null and one other schema becomes that schema, nullable", nullInUnion},
	{"optional-property", "a required property that clients leave out becomes optional, as configured", optionalProperties},
	{"raw-schema", "a schema is kept as raw JSON, as configured", rawSchemas},
	{"base-as-union", "a base schema with a discriminator and no oneOf becomes the union of its subtypes", baseAsUnion},
	{"union-discriminator", "a union of subtypes of one discriminated base gets that base's discriminator", unionDiscriminator},
	{"raw-json", "a schema that no Go type holds without loss is kept as raw JSON", rawJSON},
	{"distinct-name", "components whose Go names would be the same get distinct ones", distinctNames},
	{"distinct-field", "properties whose Go field names would be the same get distinct ones", distinctFields},
}

// Apply repairs the document in place and returns what it did, in the order in
// which it was done. An option that names what the document does not have, and a
// fault that cannot be repaired, is an error.
func Apply(d *document.Document, opts Options) ([]Repair, error) {
	f := &fixer{doc: d, opts: opts, done: []Repair{}}
	for _, kind := range Kinds {
		f.kind = kind.Name
		if err := kind.run(f); err != nil {
			return nil, fmt.Errorf("repair %s: %w", kind.Name, err)
		}
	}
	return f.done, nil
}

// fixer is what one run of the repairs works on.
type fixer struct {
	doc  *document.Document
	opts Options
	kind string
	done []Repair
}

func (f *fixer) fixed(p document.Pointer, format string, args ...any) {
	f.done = append(f.done, Repair{Name: f.kind, Pointer: string(p), Reason: fmt.Sprintf(format, args...)})
}

func (f *fixer) schemas() *document.Node { return f.doc.Root.At("components", "schemas") }

func schemaPointer(name string) document.Pointer {
	return document.Pointer("/components/schemas").To(name)
}

func schemaRef(name string) string { return schemaPointer(name).Ref() }
