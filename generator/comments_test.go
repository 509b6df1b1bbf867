package generator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/emit"
	"github.com/onceberg/onceberg/generator/specimport"
	"github.com/onceberg/onceberg/internal/upstream"
	"github.com/onceberg/onceberg/spec"
)

// code renders the files of a document into one text.
func code(t *testing.T, source []byte, c generator.Config) string {
	t.Helper()
	c.Spec = "api.yaml"
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	a, err := generator.Analyze(source, c)
	if err != nil {
		t.Fatal(err)
	}
	files, err := a.Render()
	if err != nil {
		t.Fatal(err)
	}
	return joined(files)
}

func joined(files []emit.File) string {
	var all strings.Builder
	for _, f := range files {
		all.WriteString("=== " + f.Name + "\n" + string(f.Text))
	}
	return all.String()
}

func commented(t *testing.T, from generator.DocComments, summaries string) generator.Config {
	t.Helper()
	c := generator.DefaultConfig()
	c.DocComments = from
	if from == generator.FromSummaries {
		c.Summaries = filepath.Join(t.TempDir(), "summaries.yaml")
		if err := os.WriteFile(c.Summaries, []byte(summaries), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// Unless the doc comments are the document's own, the code does not depend on
// its prose.
func TestCodeIsTheSameWithAndWithoutProse(t *testing.T) {
	t.Parallel()
	sources := map[string][]byte{"shelf": []byte(shelf)}
	for _, name := range upstream.Files {
		if source := upstream.Spec(t, name); source != nil {
			sources[name] = source
		}
	}
	for name, source := range sources {
		for _, from := range []generator.DocComments{generator.FromSummaries, generator.NoComments} {
			t.Run(name+" with "+string(from), func(t *testing.T) {
				t.Parallel()
				imported, err := specimport.Import(name, source, specimport.Provenance{})
				if err != nil {
					t.Fatal(err)
				}
				c := commented(t, from, string(spec.Summaries()))
				if diff := cmp.Diff(code(t, source, c), code(t, imported, c)); diff != "" {
					t.Errorf("the code differs (-verbatim +stripped)\n%s", diff)
				}
			})
		}
	}
}

// shelf has prose wherever it can stand, some of it in the way of the code.
const shelf = `openapi: 3.1.1
info: {version: '1', description: PROSE, title: Shelf}
paths:
  x-note: PROSE stands here.
  /books/{id}:
    summary: PROSE
    parameters: [{name: id, in: path, required: true, description: PROSE, schema: {type: string, title: PROSE}}]
    put:
      summary: PROSE
      description: |
        PROSE one

        More PROSE, and more.
      deprecated: true
      x-deprecated-reason: PROSE says so.
      operationId: putBook
      responses:
        204: {description: PROSE, headers: {ETag: {description: PROSE, schema: {type: string}}}}
        default: {description: PROSE}
      requestBody: {description: PROSE, content: {application/json: {example: PROSE, schema: {description: PROSE, $ref: '#/components/schemas/Book'}}}}
components:
  schemas:
    Book:
      title: PROSE
      description: PROSE
      type: object
      properties:
        author: {$ref: '#/components/schemas/Author', description: PROSE}
        description: {type: string, description: PROSE, examples: [PROSE]}
        old: {type: boolean, deprecated: true, description: PROSE}
    Author: {example: PROSE, type: string, enum: [a, b], x-enum-descriptions: [PROSE, PROSE]}
`

// lines returns the lines of the code that hold a text, without indentation.
func lines(code, text string) []string {
	var found []string
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// before returns the comment above the line that begins so.
func before(t *testing.T, code, begin string) string {
	t.Helper()
	var comment []string
	for line := range strings.Lines(code) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, begin):
			return strings.Join(comment, "\n")
		case strings.HasPrefix(line, "//"):
			comment = append(comment, line)
		default:
			comment = nil
		}
	}
	t.Fatalf("no line begins with %q", begin)
	return ""
}

func TestDocComments(t *testing.T) {
	t.Parallel()
	const summaries = "operations: {putBook: stores a book., other: does not exist.}\nschemas: {Book: is something to read., Author: writes., Other: is not there.}\n"
	for _, c := range []struct {
		from                                   generator.DocComments
		operation, schema, field, old, another string
	}{
		{
			from:      generator.FromSummaries,
			operation: "// PutBook stores a book.\n// (PUT /books/{id})\n//\n// Deprecated: the API's document marks it as deprecated.",
			schema:    "// Book is something to read.",
			field:     "// Author writes.",
			old:       "// Deprecated: the API's document marks it as deprecated.",
		},
		{
			from:      generator.NoComments,
			operation: "// PutBook serves PUT /books/{id}.\n//\n// Deprecated: the API's document marks it as deprecated.",
			schema:    "// Book defines model for Book.",
			old:       "// Deprecated: the API's document marks it as deprecated.",
		},
		{
			from:      generator.FromSpec,
			operation: "// PutBook PROSE\n//\n// PROSE one.\n//\n// More PROSE, and more.\n//\n// (PUT /books/{id})\n//\n// Deprecated: PROSE says so.",
			schema:    "// Book PROSE",
			old:       "// Old PROSE\n// Deprecated: the API's document marks it as deprecated.",
		},
	} {
		t.Run(string(c.from), func(t *testing.T) {
			t.Parallel()
			text := code(t, []byte(shelf), commented(t, c.from, summaries))
			for begin, want := range map[string]string{
				"PutBook(ctx":      c.operation,
				"type Book struct": c.schema,
				"Author ":          c.field,
				"Old ":             c.old,
			} {
				if diff := cmp.Diff(want, before(t, text, begin)); diff != "" {
					t.Errorf("comment of %s (-want +got)\n%s", begin, diff)
				}
			}
			if survivors := lines(text, "PROSE"); c.from != generator.FromSpec && survivors != nil {
				t.Errorf("the document's prose survives: %q", survivors)
			}
		})
	}
}

func TestSummariesFileIsChecked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"operation: {a: b}":     `unknown key "operation"`,
		"operations: [a]":       "line 1: ",
		"schemas: {a: b, a: c}": "already defined",
	} {
		c := commented(t, generator.FromSummaries, text)
		_, err := generator.Analyze([]byte(shelf), c)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), c.Summaries) {
			t.Errorf("%s: error %v does not name the file and %q", text, err, want)
		}
	}
	c := commented(t, generator.FromSummaries, "")
	if _, err := generator.Analyze([]byte(shelf), c); err != nil {
		t.Errorf("an empty file: %v", err)
	}
	c.Summaries += ".missing"
	if _, err := generator.Analyze([]byte(shelf), c); err == nil || !strings.Contains(err.Error(), c.Summaries) {
		t.Errorf("a missing file: %v", err)
	}
}
