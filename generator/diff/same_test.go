package diff_test

import (
	"testing"

	"github.com/onceberg/onceberg/generator/diff"
)

// Two ways to write down the same interface are no difference, in either
// direction.
func TestSpellingIsNoChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		old, new []byte
	}{
		{
			"prose, tags and examples",
			doc("3.0.3", send, things("{type: object, properties: {a: {type: string}}}")),
			doc("3.0.3", "/send: {summary: s, post: {tags: [t], summary: s, operationId: send, requestBody: {description: d, required: true, content: {application/json: {example: {}, schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'204': {description: other}}}}",
				things("{type: object, title: t, example: {a: b}, x-more: 1, properties: {a: {type: string, description: d}}}")),
		},
		{
			"null in 3.0 and in 3.1",
			doc("3.0.3", read, things("{type: object, properties: {a: {type: string, nullable: true}, b: {allOf: [{$ref: '#/components/schemas/C'}], nullable: true}, c: {type: string, nullable: false}}}", "C: {type: object}")),
			doc("3.1.0", read, things("{type: object, properties: {a: {type: ['null', string]}, b: {oneOf: [{type: 'null'}, {$ref: '#/components/schemas/C'}]}, c: {type: string}}}", "C: {type: object}")),
		},
		{
			"nullable left over in 3.1, beside a reference too",
			doc("3.1.0", read, things("{type: object, properties: {a: {type: string, nullable: true}, b: {$ref: '#/components/schemas/C', nullable: true}}}", "C: {type: object}")),
			doc("3.1.0", read, things("{type: object, properties: {a: {type: [string, 'null']}, b: {anyOf: [{$ref: '#/components/schemas/C'}, {type: 'null'}]}}}", "C: {type: object}")),
		},
		{
			"a const and an enum of one value",
			doc("3.0.3", read, things("{type: object, properties: {a: {type: string, enum: [x]}}}")),
			doc("3.1.0", read, things("{type: object, properties: {a: {type: string, const: x}}}")),
		},
		{
			"a reference and an allOf around it",
			doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/C'}, b: {allOf: [{$ref: '#/components/schemas/C'}], description: d}}}", "C: {type: object, properties: {x: {type: string}}}")),
			doc("3.0.3", read, things("{type: object, properties: {a: {allOf: [{$ref: '#/components/schemas/C'}]}, b: {type: object, allOf: [{$ref: '#/components/schemas/C'}]}}}", "C: {type: object, properties: {x: {type: string}}}")),
		},
		{
			"fields of one's own and in an allOf",
			doc("3.0.3", read, things("{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}")),
			doc("3.0.3", read, things("{allOf: [{type: object, required: [b], properties: {b: {type: string}}}], required: [a], properties: {a: {type: string}}}")),
		},
		{
			"what a base says, said once more",
			doc("3.0.3", read, things("{allOf: ["+ref("Base")+"], properties: {b: {type: string}}}", "Base: {type: object, required: [a], properties: {a: {type: string}}}")),
			doc("3.0.3", read, things("{type: object, allOf: ["+ref("Base")+"], required: [a], properties: {a: {type: string}, b: {type: string}}}", "Base: {type: object, required: [a], properties: {a: {type: string}}}")),
		},
		{
			"a component and the same inline",
			doc("3.0.3", read, things("{type: object, properties: {a: {$ref: '#/components/schemas/C'}}}", "C: {type: object, required: [x], properties: {x: {type: array, items: {type: string}}}}")),
			doc("3.0.3", read, things("{type: object, properties: {a: {type: object, required: [x], properties: {x: {type: array, items: {type: string}}}}}}")),
		},
		{
			"a base as union, with and without its arms",
			doc("3.0.3", send, things("{discriminator: {propertyName: k, mapping: {a: A, b: B}}, oneOf: ["+ref("A")+", "+ref("B")+"]}", ab)),
			doc("3.0.3", send, things("{type: object, required: [k], discriminator: {propertyName: k, mapping: {b: '#/components/schemas/B', a: '#/components/schemas/A'}}, properties: {k: {type: string}}}", ab)),
		},
		{
			"an excluded bound in 3.0 and in 3.1",
			doc("3.0.3", read, things("{type: integer, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false}")),
			doc("3.1.0", read, things("{type: integer, exclusiveMinimum: 1, maximum: 9}")),
		},
		{
			"order of fields, values, arms, paths and operations",
			doc("3.0.3", send+"\n"+read, things("{type: object, required: [a, b], properties: {a: {type: string, enum: [x, y]}, b: {oneOf: [{type: string}, {type: integer}, {type: boolean}]}}}")),
			doc("3.0.3", read+"\n"+send, things("{properties: {b: {anyOf: [{type: boolean}, {type: integer}, {type: string}]}, a: {enum: [y, x], type: string}}, required: [b, a], type: object}")),
		},
		{
			"parameters of the path item and of the operation",
			doc("3.0.3", "/x: {parameters: [{name: a, in: query, schema: {type: string}}, {name: B, in: header, schema: {type: string}}], post: {operationId: x, "+ok+"}}", ""),
			doc("3.0.3", post("parameters: [{name: b, in: header, schema: {type: string}}, {name: a, in: query, required: false, style: form, explode: true, schema: {type: string}}], "+ok), ""),
		},
		{
			"the key on the path item and on the operation, in any case",
			doc("3.0.3", post("parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}], "+ok), ""),
			doc("3.0.3", "/x: {parameters: [{$ref: '#/components/parameters/k'}], post: {operationId: x, "+ok+"}}", "parameters: {k: {name: idempotency-key, in: header, schema: {type: string}}}"),
		},
		{
			"ranges of statuses and media types in any case",
			doc("3.0.3", post("responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}, 5XX: {description: no}}"), ""),
			doc("3.0.3", post("responses: {5xx: {description: no}, '200': {description: ok, content: {Application/JSON: {schema: {type: string}}}}}"), ""),
		},
		{
			"a type that other keywords speak of",
			doc("3.1.0", read, things("{type: object, properties: {a: {type: string, enum: [x]}, b: {type: array, items: {type: string}}, c: {type: object, additionalProperties: {type: string}}}}")),
			doc("3.1.0", read, things("{properties: {a: {enum: [x]}, b: {items: {type: string}}, c: {additionalProperties: {type: string}}}}")),
		},
		{
			"prose inside a limit, and a field that is named like prose",
			doc("3.1.0", read, things("{type: object, not: {type: object, properties: {description: {type: string}}}}")),
			doc("3.1.0", read, things("{type: object, not: {description: d, type: object, properties: {description: {type: string, title: t}}}}")),
		},
		{
			"an array of null among others",
			doc("3.1.0", read, things("{oneOf: [{type: string}, {type: integer}, {type: 'null'}]}")),
			doc("3.0.3", read, things("{nullable: true, oneOf: [{type: string}, {type: integer}]}")),
		},
		{
			"everything else is allowed, said or not",
			doc("3.0.3", read, things("{type: object, additionalProperties: true, properties: {a: {type: array, items: {}, uniqueItems: false}}}")),
			doc("3.0.3", read, things("{type: object, additionalProperties: {}, properties: {a: {type: array, items: {}}}}")),
		},
	} {
		old, new := analyze(t, "old.yaml", c.old), analyze(t, "new.yaml", c.new)
		for _, d := range []diff.Diff{diff.Compare(old, new), diff.Compare(new, old)} {
			if !d.Empty() {
				t.Errorf("%s: %q", c.name, lines(d))
			}
		}
	}
}

// Schemas that lead into themselves must not keep the comparison from ending.
func TestCircularSchemas(t *testing.T) {
	t.Parallel()
	old := analyze(t, "old.yaml", doc("3.0.3", send, things("{oneOf: ["+ref("Thing")+", "+ref("L")+"]}",
		"L: {type: array, items: "+ref("L")+"}")))
	for _, thing := range []string{
		"{oneOf: [" + ref("Thing") + ", {type: string}]}",
		"{allOf: [" + ref("L") + "], properties: {a: " + ref("Thing") + "}}",
		"{type: string}",
	} {
		new := analyze(t, "new.yaml", doc("3.0.3", send, things(thing, "L: {allOf: ["+ref("M")+"]}\nM: {type: object, properties: {l: "+ref("L")+"}}")))
		if diff.Compare(old, new).Empty() || diff.Compare(new, old).Empty() {
			t.Errorf("no difference to %s", thing)
		}
	}
}
