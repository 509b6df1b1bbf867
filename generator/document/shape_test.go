package document_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator/document"
)

// whole uses every form that the grammar knows, and whatever may stand where the
// grammar does not look.
const whole = `openapi: 3.1.1
info: {title: T, version: '1', license: {name: L}, description: d, contact: 5}
servers: [{url: u, variables: {description: {enum: [a], default: a}}}]
security: [{o: [a]}]
tags: [{name: a, externalDocs: 1}]
x-anything: [1, {schema: 2}]
paths:
  x-other: 1
  /a/{id}:
    summary: s
    parameters: [{name: id, in: path, required: true, schema: {type: string}, example: {schema: 1}}]
    post:
      tags: [a]
      operationId: post
      deprecated: false
      requestBody: {required: true, content: {a/b: {schema: true, encoding: {x: {contentType: a/b, headers: {h: {style: simple}}}}}}}
      responses:
        200: {description: d, headers: {h: {schema: {}}}, content: {a/b: {examples: 7}}, links: {l: {operationId: post, parameters: 1}}}
        default: {$ref: '#/components/responses/r'}
      callbacks: {c: {'{$url}': {post: {responses: {}}}}}
components:
  responses: {r: {description: d}}
  schemas:
    s:
      title: t
      type: [object, 'null']
      required: [description]
      properties: {description: {type: number, minimum: 1, exclusiveMaximum: true, enum: [1, null, {}]}, schema: {const: {type: 5}}}
      additionalProperties: false
      allOf: [{default: {properties: 1}}]
      discriminator: {propertyName: p, mapping: {a: s}}
      xml: 1
      newKeyword: {type: 5}
  securitySchemes: {o: {type: oauth2, flows: {password: {tokenUrl: u, scopes: {description: d}}}}}
`

func TestCheckShape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing wrong", "", "", ""},
		{"a path item that is null", "  x-other: 1\n", "  /b:\n", "8:6: the path item must be an object, not null (at #/paths/~1b)"},
		{"an operation that is text", "    summary: s\n", "    get: text\n", "10:10: the operation must be an object, not a string (at #/paths/~1a~1{id}/get)"},
		{"info that is a list", "info: {title", "info: [a]\nx-i: {title", "2:7: the info must be an object, not an array (at #/info)"},
		{"a version that is a number", "version: '1'", "version: 1.0", "2:27: a string must stand here, not a number; put it in quotes (at #/info/version)"},
		{"parameters that are an object", "parameters: [{", "parameters: {a: 1}\n    x-p: [{", "11:17: an array must stand here, not an object (at #/paths/~1a~1{id}/parameters)"},
		{"a required that is text", "required: true, schema", "required: 'yes', schema", "11:49: a boolean must stand here, not a string (at #/paths/~1a~1{id}/parameters/0/required)"},
		{"a schema that is text", "schema: {type: string}", "schema: string", "11:63: the schema must be an object, not a string (at #/paths/~1a~1{id}/parameters/0/schema)"},
		{"tags that are text", "      tags: [a]", "      tags: a", "13:13: an array must stand here, not a string (at #/paths/~1a~1{id}/post/tags)"},
		{"a tag that is a boolean", "      tags: [a]", "      tags: [a, yes, true]", "13:22: a string must stand here, not a boolean; put it in quotes (at #/paths/~1a~1{id}/post/tags/2)"},
		{"a summary that is an object", "summary: s", "summary: {a: s}", "10:14: a string must stand here, not an object (at #/paths/~1a~1{id}/summary)"},
		{"a media type that is null", "content: {a/b: {schema: true", "content: {a/c: ~, a/b: {schema: true", "16:52: the media type must be an object, not null (at #/paths/~1a~1{id}/post/requestBody/content/a~1c)"},
		{"content that is null", "content: {a/b: {examples: 7}}", "content: ", "18:68: an object must stand here, not null (at #/paths/~1a~1{id}/post/responses/200/content)"},
		{"a reference that is null", "$ref: '#/components/responses/r'", "$ref: ~", "19:25: a string must stand here, not null (at #/paths/~1a~1{id}/post/responses/default/$ref)"},
		{"properties that are a list", "properties: {description", "properties: [a]\n      x-p: {description", "28:19: an object must stand here, not an array (at #/components/schemas/s/properties)"},
		{"a required that is a boolean", "required: [description]", "required: true", "27:17: an array must stand here, not a boolean (at #/components/schemas/s/required)"},
		{"a type in a list that is null", "type: [object, 'null']", "type: [object, null]", "26:22: a string must stand here, not null (at #/components/schemas/s/type/1)"},
		{"a type that does not exist", "type: number,", "type: float,", `28:40: "float" is no type; there are array, boolean, integer, null, number, object, string (at #/components/schemas/s/properties/description/type)`},
		{"a type in a list that does not exist", "type: [object, 'null']", "type: [object, any]", `26:22: "any" is no type; there are array, boolean, integer, null, number, object, string (at #/components/schemas/s/type/1)`},
		{"a parameter without a name", "[{name: id, in", "[{in", "11:18: the parameter has no name (at #/paths/~1a~1{id}/parameters/0)"},
		{"a discriminator without a property", "{propertyName: p, mapping", "{mapping", "31:22: the discriminator has no propertyName (at #/components/schemas/s/discriminator)"},
		{"a minimum that is text", "minimum: 1,", "minimum: '1',", "28:57: a number must stand here, not a string (at #/components/schemas/s/properties/description/minimum)"},
		{"a minimum beyond every float", "minimum: 1,", "minimum: 1e400,", "28:57: the number 1e400 is out of range (at #/components/schemas/s/properties/description/minimum)"},
		{"a length that is negative", "minimum: 1,", "maxLength: -5,", "28:59: -5 is no count: a whole number from 0 on must stand here, in digits (at #/components/schemas/s/properties/description/maxLength)"},
		{"a length with a fraction", "minimum: 1,", "minItems: 1.5,", "28:58: 1.5 is no count: a whole number from 0 on must stand here, in digits (at #/components/schemas/s/properties/description/minItems)"},
		{"a length that is text", "minimum: 1,", "minProperties: '1',", "28:63: a number must stand here, not a string (at #/components/schemas/s/properties/description/minProperties)"},
		{"lengths", "minimum: 1,", "minItems: 0, maxItems: 18446744073709551615, minimum: -1.5,", ""},
		{"an enum that is text", "enum: [1, null, {}]", "enum: a", "28:90: an array must stand here, not a string (at #/components/schemas/s/properties/description/enum)"},
		{"an arm that is text", "allOf: [{", "allOf: [text, {", "30:15: the schema must be an object, not a string (at #/components/schemas/s/allOf/0)"},
		{"a discriminator that is text", "discriminator: {propertyName: p, mapping: {a: s}}", "discriminator: p", "31:22: the discriminator must be an object, not a string (at #/components/schemas/s/discriminator)"},
		{"a mapping to a number", "mapping: {a: s}", "mapping: {a: 1}", "31:53: a string must stand here, not a number; put it in quotes (at #/components/schemas/s/discriminator/mapping/a)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.Count(whole, c.old) != 1 && c.old != "" {
				t.Fatalf("%q does not stand once in the document", c.old)
			}
			d, err := document.Parse("api", []byte(strings.Replace(whole, c.old, c.new, 1)))
			if err != nil {
				t.Fatal(err)
			}
			err = d.CheckShape()
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var fault *document.Error
			if !errors.As(err, &fault) || err.Error() != "api:"+c.want {
				t.Errorf("error\n got %v\nwant api:%s", err, c.want)
			}
		})
	}
}

// The walk meets objects by what they are, whatever they are called.
func TestWalkStructureMeetsEveryObject(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	met := map[document.Pointer]bool{}
	d.WalkStructure(func(p document.Pointer, n *document.Node) {
		if met[p] || n != d.Lookup(p) {
			t.Errorf("%s is met twice or as something else", p)
		}
		met[p] = true
	})
	for _, p := range []document.Pointer{
		"", "/info", "/info/license", "/servers/0", "/servers/0/variables/description", "/tags/0", "/paths", "/paths/~1a~1{id}",
		"/paths/~1a~1{id}/parameters/0", "/paths/~1a~1{id}/parameters/0/schema", "/paths/~1a~1{id}/post",
		"/paths/~1a~1{id}/post/requestBody", "/paths/~1a~1{id}/post/requestBody/content/a~1b",
		"/paths/~1a~1{id}/post/requestBody/content/a~1b/schema", "/paths/~1a~1{id}/post/requestBody/content/a~1b/encoding/x",
		"/paths/~1a~1{id}/post/requestBody/content/a~1b/encoding/x/headers/h", "/paths/~1a~1{id}/post/responses",
		"/paths/~1a~1{id}/post/responses/200", "/paths/~1a~1{id}/post/responses/200/headers/h",
		"/paths/~1a~1{id}/post/responses/200/headers/h/schema", "/paths/~1a~1{id}/post/responses/200/content/a~1b",
		"/paths/~1a~1{id}/post/responses/200/links/l", "/paths/~1a~1{id}/post/responses/default",
		"/paths/~1a~1{id}/post/callbacks/c", "/paths/~1a~1{id}/post/callbacks/c/{$url}", "/paths/~1a~1{id}/post/callbacks/c/{$url}/post",
		"/paths/~1a~1{id}/post/callbacks/c/{$url}/post/responses", "/components", "/components/responses/r", "/components/schemas/s",
		"/components/schemas/s/properties/description", "/components/schemas/s/properties/schema",
		"/components/schemas/s/additionalProperties", "/components/schemas/s/allOf/0", "/components/schemas/s/discriminator",
		"/components/securitySchemes/o", "/components/securitySchemes/o/flows", "/components/securitySchemes/o/flows/password",
	} {
		if !met[p] {
			t.Errorf("%s is not met", p)
		}
		delete(met, p)
	}
	for p := range met {
		t.Errorf("%s is met, and is no object of OpenAPI", p)
	}
}
