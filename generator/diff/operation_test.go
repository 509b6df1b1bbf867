package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/diff"
)

// What the configuration adds to a document counts as part of it.
func TestKeyByConfiguration(t *testing.T) {
	t.Parallel()
	spec := doc("3.0.3", post(ok), "")
	plain := analyze(t, "plain.yaml", spec)
	also, err := generator.Analyze(spec, generator.Config{Spec: "also.yaml", Also: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	both := analyze(t, "both.yaml", doc("3.0.3", post(ok)+"\n/y: {put: {operationId: y, "+ok+"}}", ""))
	alsoBoth, err := generator.Analyze(doc("3.0.3", post(ok)+"\n/y: {put: {operationId: y, "+ok+"}}", ""), generator.Config{Spec: "b", Also: []string{"y"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new *generator.Analysis
		want     []string
	}{
		{plain, also, []string{"key-gained | nobody | x | the configuration honours Idempotency-Key now"}},
		{also, plain, []string{"key-lost | clients | x | the configuration no longer honours Idempotency-Key"}},
		{plain, both, []string{"operation-added | nobody | y | PUT /y is new and takes no key"}},
		{plain, alsoBoth, []string{"operation-added | nobody | y | PUT /y is new and takes Idempotency-Key by configuration"}},
	} {
		if d := cmp.Diff(c.want, lines(diff.Compare(c.old, c.new))); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}

const key = "{name: Idempotency-Key, in: header, schema: {type: string}}"

var operationChanges = []change{
	{
		name: "operation added",
		old:  doc("3.0.3", post(ok), ""),
		new:  doc("3.0.3", post(ok)+"\n/y: {put: {operationId: y, parameters: ["+key+"], "+ok+"}}\n/z: {get: {operationId: z, "+ok+"}}", ""),
		want: []string{
			"operation-added | nobody | y | PUT /y is new and declares Idempotency-Key",
			"operation-added | nobody | z | GET /z is new and takes no key",
		},
	},
	{
		name: "operation moved to another method",
		old:  doc("3.0.3", post(ok), ""),
		new:  doc("3.0.3", "/x: {put: {operationId: x, "+ok+"}}", ""),
		want: []string{"operation-moved | clients servers | x | it is at PUT /x now, at POST /x before"},
	},
	{
		name: "operation moved to another path",
		old:  doc("3.0.3", post(ok), ""),
		new:  doc("3.0.3", "/v2/x: {post: {operationId: x, "+ok+"}}", ""),
		want: []string{"operation-moved | clients servers | x | it is at POST /v2/x now, at POST /x before"},
	},
	{
		name: "operation renamed",
		old:  doc("3.0.3", post(ok), ""),
		new:  doc("3.0.3", "/x: {post: {operationId: makeX, "+ok+"}}", ""),
		want: []string{"operation-renamed | servers | makeX | it is called makeX now, x before"},
	},
	{
		name: "two operations swap their paths",
		old:  doc("3.0.3", "/a: {get: {operationId: a, "+ok+"}}\n/b: {get: {operationId: b, "+ok+"}}", ""),
		new:  doc("3.0.3", "/a: {get: {operationId: b, "+ok+"}}\n/b: {get: {operationId: a, "+ok+"}}", ""),
		want: []string{
			"operation-moved | clients servers | b | it is at GET /a now, at GET /b before",
			"operation-moved | clients servers | a | it is at GET /b now, at GET /a before",
		},
	},
	{
		name: "operation deprecated",
		old:  doc("3.0.3", post(ok), ""),
		new:  doc("3.0.3", post("deprecated: true, "+ok), ""),
		want: []string{"deprecated | nobody | x | the operation is deprecated now"},
	},
	{
		name: "key gained on the path item, with its statuses",
		old:  doc("3.0.3", post("responses: {'200': {description: ok}, '409': {description: no}, '503': {description: later}}"), ""),
		new:  doc("3.0.3", "/x: {parameters: ["+key+"], post: {operationId: x, responses: {'200': {description: ok}, '409': {description: no}, '503': {description: later}}}}", ""),
		want: []string{"key-gained | nobody | x | the document declares Idempotency-Key now; final: 200, 409; released: 503"},
	},
	{
		name: "key lost",
		old:  doc("3.0.3", post("parameters: ["+key+"], "+ok), ""),
		new:  doc("3.0.3", post(ok), ""),
		want: []string{"key-lost | clients | x | the document no longer declares Idempotency-Key"},
	},
	{
		name: "the key's own form",
		old:  doc("3.0.3", post("parameters: ["+key+"], "+ok), ""),
		new:  doc("3.0.3", post("parameters: [{name: idempotency-key, in: header, required: true, schema: {type: string, minLength: 36}}], "+ok), ""),
		want: []string{
			"parameter-required | clients | x | header parameter idempotency-key is required now",
			"constraint-changed | clients | x | minLength of header parameter idempotency-key is 36 now, none before",
		},
	},
	{
		name: "a read that declares the key takes none",
		old:  doc("3.0.3", "/x: {get: {operationId: x, "+ok+"}}", ""),
		new:  doc("3.0.3", "/x: {get: {operationId: x, parameters: ["+key+"], "+ok+"}}", ""),
		want: []string{"parameter-added | nobody | x | header parameter Idempotency-Key is new and optional"},
	},
	{
		name: "statuses of an operation without a key",
		old:  doc("3.0.3", post("responses: {'200': {description: ok}, '400': {description: no}}"), ""),
		new:  doc("3.0.3", post("responses: {'200': {description: ok}, '404': {description: no}, default: {description: else}}"), ""),
		want: []string{
			"status-removed | nobody | x | status 400 is gone",
			"status-added | nobody | x | status 404 is new",
			"status-added | nobody | x | status DEFAULT is new",
		},
	},
	{
		name: "success is answered by another status",
		old:  doc("3.0.3", post("responses: {'200': {description: ok}}"), ""),
		new:  doc("3.0.3", post("responses: {'202': {description: ok}}"), ""),
		want: []string{
			"status-removed | servers | x | status 200 is gone",
			"status-added | clients | x | status 202 is new",
		},
	},
	{
		name: "statuses of a keyed operation",
		old:  doc("3.0.3", post("parameters: ["+key+"], responses: {'200': {description: ok}, '401': {description: who}, 4XX: {description: no}}"), ""),
		new:  doc("3.0.3", post("parameters: ["+key+"], responses: {'200': {description: ok}, '409': {description: no}, '503': {description: later}}"), ""),
		want: []string{
			"released-status-removed | nobody | x | status 401 is gone",
			"status-removed | nobody | x | status 4XX is gone",
			"final-status-added | nobody | x | status 409 is new, and final",
			"released-status-added | nobody | x | status 503 is new, and releases the key",
		},
	},
	{
		name: "the outcome can be unknown",
		old:  doc("3.0.3", post("parameters: ["+key+"], responses: {'200': {description: ok}, 5XX: {description: no}}"), ""),
		new:  doc("3.0.3", post("parameters: ["+key+"], responses: {'200': {description: ok}, '504': {description: no}, 5XX: {description: no}}"), ""),
		want: []string{
			"state-unknown-gained | nobody | x | its outcome can be unknown now: 500, 502 or 504 is declared",
			"released-status-added | nobody | x | status 504 is new, and releases the key",
		},
	},
}

var parameterChanges = []change{
	{
		name: "parameters added",
		old:  doc("3.0.3", post(ok), ""),
		new: doc("3.0.3", "/x: {parameters: [{name: a, in: query, schema: {type: string}}], "+
			"post: {operationId: x, parameters: [{name: b, in: header, required: true, schema: {type: string}}], "+ok+"}}", ""),
		want: []string{
			"parameter-added | clients | x | header parameter b is new and required",
			"parameter-added | nobody | x | query parameter a is new and optional",
		},
	},
	{
		name: "parameter removed",
		old:  doc("3.0.3", post("parameters: [{name: a, in: query, schema: {type: string}}], "+ok), ""),
		new:  doc("3.0.3", post(ok), ""),
		want: []string{"parameter-removed | clients | x | query parameter a is gone"},
	},
	{
		name: "parameter optional",
		old:  doc("3.0.3", post("parameters: [{name: a, in: query, required: true, schema: {type: string}}], "+ok), ""),
		new:  doc("3.0.3", post("parameters: [{name: a, in: query, schema: {type: string}}], "+ok), ""),
		want: []string{"parameter-optional | servers | x | query parameter a is optional now"},
	},
	{
		name: "parameter of the same name in another place",
		old:  doc("3.0.3", post("parameters: [{name: a, in: query, schema: {type: string}}], "+ok), ""),
		new:  doc("3.0.3", post("parameters: [{name: a, in: cookie, schema: {type: string}}], "+ok), ""),
		want: []string{
			"parameter-removed | clients | x | query parameter a is gone",
			"parameter-added | nobody | x | cookie parameter a is new and optional",
		},
	},
	{
		name: "path parameter renamed",
		old:  doc("3.0.3", "/x/{a}: {get: {operationId: x, parameters: [{name: a, in: path, required: true, schema: {type: string}}], "+ok+"}}", ""),
		new:  doc("3.0.3", "/x/{b}: {get: {operationId: x, parameters: [{name: b, in: path, required: true, schema: {type: string}}], "+ok+"}}", ""),
		want: []string{"parameter-renamed | nobody | x | path parameter a is called b now"},
	},
	{
		name: "the form of a parameter",
		old:  doc("3.0.3", post("parameters: [{name: a, in: query, schema: {type: array, items: {type: string}}}], "+ok), ""),
		new:  doc("3.0.3", post("parameters: [{name: a, in: query, deprecated: true, allowEmptyValue: true, explode: false, schema: {type: array, items: {type: integer}}}], "+ok), ""),
		want: []string{
			"deprecated | nobody | x | query parameter a is deprecated now",
			"constraint-changed | servers | x | query parameter a can be empty now",
			"constraint-changed | clients servers | x | query parameter a is written in the style form now, form, exploded before",
			"type-changed | clients servers | x | [] in query parameter a is integer now, string before",
		},
	},
	{
		name: "a shared parameter, once for all that use it",
		old: doc("3.0.3", "/x: {parameters: [{$ref: '#/components/parameters/p'}], get: {operationId: x, "+ok+"}, put: {operationId: y, "+ok+"}}",
			"parameters: {p: {name: p, in: query, schema: {type: string, enum: [a, b]}}}"),
		new: doc("3.0.3", "/x: {parameters: [{$ref: '#/components/parameters/p'}], get: {operationId: x, "+ok+"}, put: {operationId: y, "+ok+"}}",
			"parameters: {p: {name: p, in: query, schema: {type: string, enum: [a, c]}}}"),
		want: []string{
			`enum-value-removed | clients | p in x y | parameter p can no longer be "b"`,
			`enum-value-added | servers | p in x y | parameter p can be "c" now`,
		},
	},
}
