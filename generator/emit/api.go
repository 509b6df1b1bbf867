package emit

import (
	"net/http"
	"slices"
	"strings"
	"text/template"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
	"github.com/onceberg/onceberg/templates"
)

// renderAPI renders what oapi-codegen knows: models and the strict server.
func renderAPI(d *document.Document, view file) (map[string]string, error) {
	spec, err := Load(d, view.Plan.KeyHeader)
	if err != nil {
		return nil, err
	}
	shapes := view.Plan.bodyShapes()
	code, err := oapi.Generate(spec, template.FuncMap{
		"bodyShape":    func(op string) string { return shapes[op] },
		"wireName":     wireName,
		"dict":         dict,
		"commentLines": commentLines,
	}, configuration(view.Options.Package))
	if err != nil {
		return nil, err
	}
	return split(code, "models.gen.go"), nil
}

// Load reads the repaired document with the library that oapi-codegen uses. The
// key's header is left out: it is the guard's, and a handler that bound it would
// refuse requests over a header that is to be ignored.
func Load(d *document.Document, keyHeader string) (*openapi3.T, error) {
	stripped := d.Clone()
	for _, item := range stripped.PathItems() {
		holders := []*document.Node{item}
		for _, method := range document.Methods {
			holders = append(holders, item.Get(method))
		}
		for _, holder := range holders {
			if list := holder.Get("parameters"); list != nil {
				list.Items = slices.DeleteFunc(list.Items, func(parameter *document.Node) bool {
					return stripped.IsHeader(parameter, keyHeader)
				})
			}
		}
	}
	explainDeprecations(stripped)
	spec, err := openapi3.NewLoader().LoadFromData(stripped.Root.JSON())
	if err != nil {
		return nil, &document.Error{File: d.File, Problem: "kin-openapi cannot read the document: " + err.Error()}
	}
	return spec, nil
}

// explainDeprecations gives a reason where the document has none; oapi-codegen
// would otherwise complain about that in the comment.
func explainDeprecations(d *document.Document) {
	const reason = "x-deprecated-reason"
	d.WalkStructure(func(_ document.Pointer, n *document.Node) {
		if n.Get("deprecated").True() && !n.Has(reason) {
			n.Set(reason, document.NewString("the API's document marks it as deprecated."))
		}
	})
}

// configuration chooses Go types that hold every value the document admits.
// Formats of strings become plain strings: a date or a UUID in a type of its own
// would come back spelled in another way, or not at all.
func configuration(packageName string) codegen.Configuration {
	text := codegen.SimpleTypeSpec{Type: "string"}
	formats := map[string]codegen.SimpleTypeSpec{}
	for format := range codegen.DefaultTypeMapping.String.Formats {
		formats[format] = text
	}
	number := codegen.SimpleTypeSpec{Type: "float64"}
	return codegen.Configuration{
		PackageName: packageName,
		Generate:    codegen.GenerateOptions{EchoServer: true, Strict: true, Models: true},
		OutputOptions: codegen.OutputOptions{
			SkipFmt:       true, // done once the code is split into files
			NullableType:  true,
			UserTemplates: templates.Overrides(),
			TypeMapping: &codegen.TypeMapping{
				Integer: codegen.FormatMapping{Default: codegen.SimpleTypeSpec{Type: "int64"}},
				Number:  codegen.FormatMapping{Default: number, Formats: map[string]codegen.SimpleTypeSpec{"float": number}},
				String:  codegen.FormatMapping{Default: text, Formats: formats},
			},
		},
	}
}

// split cuts the code at lines that name a file. What comes before the first is
// the file called first. Other marks stand where a template has nothing to say.
func split(code, first string) map[string]string {
	const mark, file = "// onceberg:", "file "
	files := map[string]string{}
	name := first
	var part strings.Builder
	for line := range strings.Lines(code) {
		if word, marked := strings.CutPrefix(line, mark); marked {
			if next, ok := strings.CutPrefix(word, file); ok {
				files[name] = part.String()
				name = strings.TrimSpace(next)
				part.Reset()
			}
			continue
		}
		part.WriteString(line)
	}
	files[name] = part.String()
	return files
}

// wireName is how a header is spelled on the wire. Iceberg's Java client finds
// ETag under that spelling only.
func wireName(name string) string {
	if canonical := http.CanonicalHeaderKey(name); canonical != "Etag" {
		return canonical
	}
	return "ETag"
}

// dict passes several values to a template.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}
