package specimport_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator/specimport"
)

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"an empty file", "", "line 1: the document is empty"},
		{"white space", " \n\n", "line 1: the document is empty"},
		{"comments alone", "# nothing\n", "line 1: the document is empty"},
		{"a null document", "---\n~\n", "line 2: the document is empty"},
		{"bytes that are not UTF-8", "openapi: 3.1.1\ninfo: \xff\n", "line 2: the document is not UTF-8"},
		{"broken YAML", "openapi: 3.1.1\ninfo: {title: T\npaths: x: y\n", "line 2: did not find expected ',' or '}'"},
		{"an unknown anchor", "openapi: 3.1.1\n\ninfo: *nowhere\n", "line 3: unknown anchor 'nowhere' referenced"},
		{"a missing bracket", "openapi: 3.1.1\npaths: ]\n", "line 2: did not find expected node content"},
		{"a tab", "openapi: 3.1.1\n\tinfo: x\n", "line 2: found a tab character that violates indentation"},
		{"a fault on the first line", "openapi: 3.1.1: x\n", "line 1: mapping values are not allowed in this context"},
		{"a control character", "openapi: 3.1.1\n\ninfo: \x01\n", "line 3: control characters are not allowed"},
		{"truncated JSON", "{\"openapi\":\n \"3.1.1\",\n", "line 3: not JSON: unexpected end of JSON input"},
		{"two documents", "openapi: 3.1.1\n---\nopenapi: 3.1.1\n", "line 2: the file holds more than one YAML document"},
		{"broken JSON", "{\"openapi\": \"3.1.1\",\n \"info\": ]}", "line 2: not JSON: invalid character ']' looking for beginning of value"},
		{"a JSON number out of range", "{\"openapi\": \"3.1.1\",\n \"info\": 1e999}", "line 2: number 1e999 is out of range"},
		{"text that is no object", "Hello.\n", "line 1: not an OpenAPI document: its top level is a string"},
		{"a list", "- a\n", "line 1: not an OpenAPI document: its top level is a list"},
		{"other YAML", "# a recipe\nflour: 500\n", "line 2: not an OpenAPI document: it has no openapi key"},
		{"Swagger", "info: {}\nswagger: '2.0'\n", "line 2: this is a Swagger 2.0 document; OpenAPI 3.0.x and 3.1.x are supported"},
		{"a later version", "info: {}\nopenapi: 3.2.0\n", `line 2: /openapi: unsupported OpenAPI version "3.2.0"; 3.0.x and 3.1.x are supported`},
		{"a version that is a number", "openapi: 3.1\n", `line 1: /openapi: unsupported OpenAPI version "3.1"; 3.0.x and 3.1.x are supported`},
		{"no info", "openapi: 3.1.1\npaths: {}\n", "line 1: the document has no info"},
		{"no paths in 3.0", "openapi: 3.0.3\ninfo: {}\ncomponents: {}\n", "line 1: the document has no paths"},
		{"nothing in 3.1", "openapi: 3.1.1\ninfo: {}\n", "line 1: the document has no paths, components or webhooks"},
		{"a duplicate key", top("paths:\n  /a: {}\n  /b: {}\n  /a: {}\n"), `line 8: /paths: duplicate key "/a", first on line 6`},
		{"a status code twice, as a number and a string", top("paths:\n  /a:\n    get:\n      responses:\n        200: {}\n        '200': {}\n"),
			`line 10: /paths/~1a/get/responses: duplicate key "200", first on line 9`},
		{"a duplicate key in JSON", "{\"openapi\": \"3.1.1\", \"info\": {},\n \"paths\": {},\n \"info\": {}}", `line 3: duplicate key "info", first on line 1`},
		{"a key that is no string", top("paths:\n  ? [a]\n  : {}\n"), "line 6: /paths: a key must be a string"},
		{"a null key", top("paths:\n  ~: {}\n"), "line 6: /paths: a key must be a string"},
		{"a circular alias", inSchema("properties: &loop\n  a:\n    properties: *loop\n"),
			"line 10: /components/schemas/S/properties/a/properties: alias *loop is circular: it stands inside the value it names (line 8)"},
		{"a circular merge", inSchema("&self\n  type: object\n  <<: *self\n"),
			"line 10: /components/schemas/S/<<: alias *self is circular: it stands inside the value it names (line 8)"},
		{"a merge of a string", inSchema("type: object\n<<: text\n"), "line 9: /components/schemas/S/<<: only an object can be merged, not a string"},
		{"a tag of its own", inSchema("default: !secret x\n"), "line 8: /components/schemas/S/default: the tag !secret has no counterpart in JSON"},
		{"a tag that does not fit", inSchema("default: !!int x\n"), `line 8: /components/schemas/S/default: "x" is not a value of the tag !!int`},
		{"a set", inSchema("default: !!set {a}\n"), "line 8: /components/schemas/S/default: an object cannot have the tag !!set"},
		{"a tagged list", inSchema("default: !mine [a]\n"), "line 8: /components/schemas/S/default: a list cannot have the tag !mine"},
		{"a schema that is a string", inSchema("items: text\n"), "line 8: /components/schemas/S/items: expected an object (schema), found a string"},
		{"properties that are a list", inSchema("properties: [a]\n"), "line 8: /components/schemas/S/properties: expected an object, found a list"},
		{"parameters that are an object", top("paths:\n  /a:\n    parameters: {a: 1}\n"),
			"line 7: /paths/~1a/parameters: expected a list (each item: parameter), found an object"},
		{"a path item that is null", top("paths:\n  /a:\n"), "line 6: /paths/~1a: expected an object (path item), found null"},
		{"a response that is a number", top("paths:\n  /a/{b}:\n    get: {responses: {200: 1}}\n"),
			"line 7: /paths/~1a~1{b}/get/responses/200: expected an object (response), found a number"},
		{"deep nesting", inSchema("default: " + strings.Repeat("[", 400) + strings.Repeat("]", 400)),
			"line 8: /components/schemas/S/default" + strings.Repeat("/0", 247) + ": the document is nested deeper than 250 levels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, err := specimport.Import([]byte(c.source), iceberg)
			if out != nil {
				t.Errorf("output beside an error:\n%s", out)
			}
			var fault *specimport.Error
			if !errors.As(err, &fault) {
				t.Fatalf("error %v is not a *specimport.Error", err)
			}
			if err.Error() != c.want {
				t.Errorf("error\n got %s\nwant %s", err, c.want)
			}
		})
	}
}

// A few hundred bytes of nested aliases stand for billions of values.
func TestImportRefusesExplodingAliases(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	lines.WriteString("x-0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&lines, "x-%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	_, err := specimport.Import([]byte(inSchema(lines.String())), iceberg)
	if err == nil || !strings.Contains(err.Error(), "the document's aliases stand for more than 100000 values") {
		t.Errorf("error = %v", err)
	}
}

// Size alone is no fault: large interfaces exist.
func TestImportTakesLargeDocuments(t *testing.T) {
	t.Parallel()
	large := inSchema("enum: [" + strings.Repeat("1,", 110_000) + "1]\n")
	if _, err := specimport.Import([]byte(large), iceberg); err != nil {
		t.Error(err)
	}
}
