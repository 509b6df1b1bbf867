package specimport_test

import (
	"errors"
	"testing"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/specimport"
)

// What package document refuses is tested there.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"an empty file", "", "api.yaml:1: the document is empty"},
		{"a duplicate key", top("paths:\n  /a: {}\n  /b: {}\n  /a: {}\n"), `api.yaml:8:3: duplicate key "/a", first on line 6 (at #/paths)`},
		{"other YAML", "# a recipe\nflour: 500\n", "api.yaml:2:1: not an OpenAPI document: it has no openapi version"},
		{"Swagger", "info: {}\nswagger: '2.0'\n", "api.yaml:2:10: Swagger 2.0 is not supported; convert the document to OpenAPI 3 (at #/swagger)"},
		{"a later version", "info: {}\nopenapi: 3.2.0\n", `api.yaml:2:10: OpenAPI version "3.2.0" is not supported; 3.0 and 3.1 are (at #/openapi)`},
		{"a version that is a number", "openapi: 3\n", `api.yaml:1:10: OpenAPI version "3" is not supported; 3.0 and 3.1 are (at #/openapi)`},
		{"no info", "openapi: 3.1.1\npaths: {}\n", "api.yaml:1:1: the document has no info"},
		{"no paths in 3.0", "openapi: 3.0.3\ninfo: {}\ncomponents: {}\n", "api.yaml:1:1: the document has no paths"},
		{"nothing in 3.1", "openapi: 3.1.1\ninfo: {}\n", "api.yaml:1:1: the document has no paths, components or webhooks"},
		{"a path item that is null", top("paths:\n  /a:\n"), "api.yaml:6:6: the path item must be an object, not null (at #/paths/~1a)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, err := specimport.Import("api.yaml", []byte(c.source), iceberg)
			if out != nil {
				t.Errorf("output beside an error:\n%s", out)
			}
			var fault *document.Error
			if !errors.As(err, &fault) {
				t.Fatalf("error %v is not a *document.Error", err)
			}
			if err.Error() != c.want {
				t.Errorf("error\n got %s\nwant %s", err, c.want)
			}
		})
	}
}

func TestStripLeavesTheDocumentWholeWhenItFails(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api.yaml", []byte(top("paths: {/a: {description: kept, get: {summary: kept, responses: []}}}\n")))
	if err != nil {
		t.Fatal(err)
	}
	before := string(d.Root.JSON())
	if err := specimport.Strip(d); err == nil {
		t.Error("no error")
	}
	if after := string(d.Root.JSON()); after != before {
		t.Errorf("the document has changed:\n%s", after)
	}
}
