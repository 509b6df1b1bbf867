package document_test

import (
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator/document"
)

// A reference that leads nowhere is told as such, at its own place, also when
// others lead to it; and so is one that leads to what is no schema.
func TestCheckTellsWhereReferencesLead(t *testing.T) {
	t.Parallel()
	const head = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n" +
		"        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}\ncomponents:\n  schemas:\n"
	for name, c := range map[string]struct{ schemas, want string }{
		"nowhere":                                {"    A: {$ref: '#/components/schemas/Nope'}\n", `t.yaml:11:15: unresolvable $ref "#/components/schemas/Nope"`},
		"a circle by way of an extension":        {"    A: {$ref: '#/x-a'}\nx-a: {$ref: '#/x-a'}\n", "circular $ref"},
		"to the document":                        {"    A: {$ref: '#'}\n", `t.yaml:11:15: $ref "#" leads to what is no schema (at #/components/schemas/A/$ref)`},
		"to an operation":                        {"    A: {$ref: '#/paths/~1a/get'}\n", `t.yaml:11:15: $ref "#/paths/~1a/get" leads to what is no schema (at #/components/schemas/A/$ref)`},
		"to a response":                          {"    A: {properties: {a: {$ref: '#/paths/~1a/get/responses/200'}}}\n", `t.yaml:11:32: $ref "#/paths/~1a/get/responses/200" leads to what is no schema`},
		"to a map":                               {"    A: {$ref: '#/components/schemas'}\n", `$ref "#/components/schemas" leads to what is no schema`},
		"to text":                                {"    A: {$ref: '#/info/title'}\n", `$ref "#/info/title" leads to what is no schema`},
		"into data":                              {"    A: {$ref: '#/components/schemas/B/default/a'}\n    B: {default: {a: {}}}\n", "leads to what is no schema"},
		"to an extension":                        {"    A: {$ref: '#/x-schemas/a'}\nx-schemas: {a: {type: string}}\n", ""},
		"to an extension of another form":        {"    A: {$ref: '#/x-schemas/a'}\nx-schemas: {a: {type: 1}}\n", "t.yaml:12:23: a string must stand here, not a number"},
		"by way of an extension":                 {"    A: {$ref: '#/x-a'}\n    B: {type: string}\nx-a: {$ref: '#/components/schemas/B'}\n", ""},
		"by way of an extension to an operation": {"    A: {$ref: '#/x-a'}\nx-a: {$ref: '#/paths/~1a/get'}\n", `t.yaml:11:15: $ref "#/x-a" leads to what is no schema`},
		"by way of an extension to nowhere":      {"    A: {$ref: '#/x-a'}\nx-a: {$ref: '#/nowhere'}\n", `t.yaml:11:15: unresolvable $ref "#/x-a"`},
		"into a schema":                          {"    A: {$ref: '#/components/schemas/B/properties/b'}\n    B: {properties: {b: {type: string}}}\n", ""},
		"to a property's name like a keyword":    {"    A: {$ref: '#/components/schemas/B/properties/default'}\n    B: {properties: {default: true}}\n", ""},
		"a circle":                               {"    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n", "circular $ref"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := document.Parse("t.yaml", []byte(head+c.schemas))
			if err == nil {
				err = d.Check()
			}
			if c.want == "" && err == nil {
				return
			}
			if c.want == "" || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
