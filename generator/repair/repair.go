package repair

import (
	"fmt"
	"iter"

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
	{"go-hint", "an extension that tells another Go generator what to write is dropped", goHints},
	{"operation-id", "an operation whose operationId is missing, gives no Go name, or gives that of another operationId, gets another; the same operationId twice is an error", operationIDs},
	{"inline-path-item", "a path item behind a $ref is put in its place", inlinePathItems},
	{"path-parameter", "the parameters of a path and those declared for it are made to agree", pathParameters},
	{"header-from-parameter", "a response header that refers to a parameter becomes a header of that name and schema", headersFromParameters},
	{"implied-type", "a schema that implies its type says it", impliedTypes},
	{"deep-reference", "what a $ref leads to and is no component becomes one", deepReferences},
	{"ref-siblings", "keywords beside a $ref, which OpenAPI 3.0 ignores, move into an allOf or are dropped where they do not shape the data", refSiblings},
	{"leftover-nullable", "nullable, a keyword of OpenAPI 3.0, becomes the type null in a 3.1 document", leftoverNullable},
	{"null-in-union", "a union with null and one other schema becomes that schema, nullable; one that admits null by another arm says so", nullInUnion},
	{"narrowing-union", "a union whose arms only rule values out is dropped, or becomes an enumeration", narrowingUnions},
	{"optional-property", "a required property that clients leave out becomes optional, as configured", optionalProperties},
	{"raw-schema", "a schema is kept as raw JSON, as configured", rawSchemas},
	{"base-as-union", "a base schema with a discriminator and no oneOf becomes the union of its subtypes", baseAsUnion},
	{"union-discriminator", "a union of subtypes of one discriminated base gets that base's discriminator", unionDiscriminator},
	{"all-of", "schemas that an allOf puts together become one", mergeAllOf},
	{"required-property", "a property that is required and nowhere described may be anything", requiredProperties},
	{"nameless-arm", "a discriminator over arms that have no name is dropped", namelessArms},
	{"enumeration", "values that no Go constant can have are not enumerated, and a type is wide enough for those that are", enumerations},
	{"raw-json", "a schema that no Go type holds without loss is kept as raw JSON", rawJSON},
	{"text", "a parameter or header that may be one of several things is a string, and so is a body of plain text", textParameters},
	{"exact-number", "a number that need not fit a float64 is kept as it is written", exactNumbers},
	{"recursive-type", "a schema that contains itself as no Go type can gets a name for its elements, or is kept as raw JSON there", recursiveTypes},
	{"distinct-name", "components whose Go names would be the same get distinct ones", distinctNames},
	{"distinct-field", "properties whose Go field names would be the same get distinct ones", distinctFields},
	{"distinct-parameter", "parameters whose Go field names would be the same get distinct ones", distinctParameters},
}

// Apply repairs the document in place and returns what it did, in the order in
// which it was done. An option that names what the document does not have, and a
// fault that cannot be repaired, is an error.
func Apply(d *document.Document, opts Options) ([]Repair, error) {
	f := &fixer{doc: d, opts: opts, done: []Repair{}}
	for _, kind := range Kinds {
		f.kind = kind.Name
		if err := kind.run(f); err != nil {
			return nil, err // names the place, or the key of the configuration
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

// operations yields every operation with its pointer.
func (f *fixer) operations() iter.Seq2[document.Pointer, *document.Node] {
	return func(yield func(document.Pointer, *document.Node) bool) {
		for path, item := range f.doc.PathItems() {
			for _, method := range document.Methods {
				if op := item.Get(method); op != nil && !yield(document.Pointer("/paths").To(path, method), op) {
					return
				}
			}
		}
	}
}

func (f *fixer) schemas() *document.Node { return f.doc.Root.At("components", "schemas") }

// addSchema adds a component; the document may have had none.
func (f *fixer) addSchema(name string, schema *document.Node) {
	root := f.doc.Root
	if !root.Has("components") {
		root.Set("components", document.NewObject())
	}
	if !root.Get("components").Has("schemas") {
		root.Get("components").Set("schemas", document.NewObject())
	}
	f.schemas().Set(name, schema)
}

// freeName finds a schema name that nothing has yet.
func (f *fixer) freeName(name string) string {
	free := name
	for n := 2; f.schemas().Has(free); n++ {
		free = fmt.Sprintf("%s%d", name, n)
	}
	return free
}

func schemaPointer(name string) document.Pointer {
	return document.Pointer("/components/schemas").To(name)
}

func schemaRef(name string) string { return schemaPointer(name).Ref() }
