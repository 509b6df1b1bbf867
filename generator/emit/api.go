package emit

import (
	"net/http"
	"strings"
	"text/template"

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
		"bodyShape":    func(op string) string { return shapes[op].Body },
		"formShape":    func(op string) string { return shapes[op].Form },
		"wireName":     wireName,
		"dict":         dict,
		"commentLines": commentLines,
		"entryType":    entryType,
	}, configuration(view.Options.Package))
	if err != nil {
		return nil, err
	}
	return split(code, "models.gen.go"), nil
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
		// A constant is named after its type, so that an unrelated enumeration
		// never changes its name.
		Compatibility: codegen.CompatibilityOptions{AlwaysPrefixEnumValues: true},
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

// entryType is the Go type of the members that have no name, as oapi-codegen
// declares it in the struct: a pointer where they may be null.
func entryType(s codegen.Schema) string {
	_, rest, _ := strings.Cut(s.GoType, "AdditionalProperties map[string]")
	declared, _, _ := strings.Cut(rest, " `json:\"-\"`")
	return declared
}

// dict passes several values to a template.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}
