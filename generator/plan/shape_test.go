package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator/plan"
)

func TestShapes(t *testing.T) {
	t.Parallel()
	source := head + `paths:
  /a:
    post:
      operationId: a
      requestBody: {required: true, content: {text/plain: {schema: {type: string}}, application/json: {schema: {$ref: "#/components/schemas/Body"}}}}
      responses: {}
  /b:
    post: {operationId: b, requestBody: {content: {application/json: {schema: {type: array, items: {type: integer}}}}}, responses: {}}
  /c:
    post: {operationId: c, responses: {}}
components:
  schemas:
    Body:
      type: object
      required: [id, union, server]
      properties:
        id: {type: integer}
        names: {type: array, items: {type: [string, "null"]}}
        anything: {}
        map: {type: object, additionalProperties: {type: string}}
        union: {$ref: "#/components/schemas/Union"}
        maybe: {oneOf: [{$ref: "#/components/schemas/Body"}, {type: "null"}]}
        either: {oneOf: [{type: string}, {type: boolean}]}
        server: {type: string, readOnly: true}
        big: {type: integer, format: uint64}
    Union:
      oneOf: [{$ref: "#/components/schemas/One"}, {$ref: "#/components/schemas/Two"}]
      discriminator: {propertyName: t, mapping: {first: One}}
    One: {type: object, required: [t], properties: {t: {type: string}}, additionalProperties: true}
    Two: {type: object, properties: {t: {type: string}}}
`
	p := must(t, source, plan.Options{})
	want := []plan.Shape{
		{Name: "/components/schemas/Body/properties/either", Types: []string{"boolean", "string"}},
		{Name: "/components/schemas/Body/properties/maybe", NullOr: "Body"},
		{Name: "=boolean", Types: []string{"boolean"}},
		{Name: "=integer", Types: []string{"integer"}},
		{Name: "=number", Types: []string{"number"}},
		{Name: "=string", Types: []string{"string"}},
		{Name: "?=string", Types: []string{"null", "string"}},
		{Name: "Body", Types: []string{"object"}, Required: []string{"id", "union"}, Members: []plan.Member{
			{Name: "anything"},
			{Name: "big", Shape: "=number"},
			{Name: "either", Shape: "/components/schemas/Body/properties/either"},
			{Name: "id", Shape: "=integer"},
			{Name: "map", Shape: "{}=string"},
			{Name: "maybe", Shape: "/components/schemas/Body/properties/maybe"},
			{Name: "names", Shape: "[]?=string"},
			{Name: "server", Shape: "=string"},
			{Name: "union", Shape: "Union"},
		}},
		{Name: "One", Types: []string{"object"}, Required: []string{"t"}, Members: []plan.Member{{Name: "t", Shape: "=string"}}, Open: true},
		{Name: "Two", Types: []string{"object"}, Members: []plan.Member{{Name: "t", Shape: "=string"}}},
		{Name: "Union", Types: []string{"object"}, Discriminator: "t", Variants: []plan.Member{{Name: "first", Shape: "One"}, {Name: "Two", Shape: "Two"}}},
		{Name: "[]=integer", Types: []string{"array"}, Items: "=integer"},
		{Name: "[]?=string", Types: []string{"array"}, Items: "?=string"},
		{Name: "{}=string", Types: []string{"object"}, Values: "=string", Open: true},
	}
	if diff := cmp.Diff(want, p.Shapes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for id, want := range map[string]struct {
		shape    string
		required bool
	}{"a": {"Body", true}, "b": {"[]=integer", false}, "c": {"", false}} {
		if op, _ := p.Find(id); op.Body != want.shape || op.BodyRequired != want.required {
			t.Errorf("%s: body %q, required %t", id, op.Body, op.BodyRequired)
		}
	}
}
