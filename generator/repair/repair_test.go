package repair_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/repair"
)

// schemas makes a document of component schemas, all of which an operation uses.
func schemas(version, text string) string {
	return "openapi: " + version + `
info: {title: T, version: "1"}
paths:
  /a:
    post:
      operationId: a
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}
      responses: {"200": {description: ok}}
components:
  schemas:
` + indent(text, "    ")
}

func indent(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(by + line)
	}
	return b.String()
}

// paths makes a document of path items.
func paths(text string) string {
	return "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths:\n" + indent(text, "  ") + "\n"
}

// Each case is the smallest document with one fault: what stands at the pointer
// afterwards, and the repair that is reported.
var cases = []struct {
	name, kind string
	source     string
	at, want   string
	reported   string // pointer and reason; empty for what is no news
}{
	{
		"a hint for another generator", "go-hint",
		schemas("3.1.0", "A: {type: object, properties: {x-go-type: {type: string, x-go-type: T, x-other: 1}}}\n"),
		"/components/schemas/A/properties", `{"x-go-type":{"type":"string","x-other":1}}`,
		"/components/schemas/A/properties/x-go-type meant for other Go code, and dropped: x-go-type",
	},
	{
		"no operationId", "operation-id",
		paths("/v1/a-b/{id}:\n  parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n  get: {responses: {}}"),
		"/paths/~1v1~1a-b~1{id}/get/operationId", `"getV1ABId"`,
		"/paths/~1v1~1a-b~1{id}/get the operation has no operationId; it is called getV1ABId",
	},
	{
		"a path item behind a $ref", "inline-path-item",
		paths("/a: {$ref: '#/components/pathItems/A', parameters: []}\n/b: {get: {operationId: b, responses: {}}}") + "components: {pathItems: {A: {get: {operationId: a, responses: {}}}}}\n",
		"/paths/~1a", `{"get":{"operationId":"a","responses":{}},"parameters":[]}`,
		"/paths/~1a the path item stands at #/components/pathItems/A; it is copied here",
	},
	{
		"a path parameter that nobody declares", "path-parameter",
		paths("/a/{id}: {get: {operationId: a, responses: {}}}"),
		"/paths/~1a~1{id}/get/parameters", `[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}]`,
		"/paths/~1a~1{id}/get the path parameter {id} is not declared; it is taken as text",
	},
	{
		"a header that refers to a parameter", "header-from-parameter",
		paths("/a: {get: {operationId: a, responses: {'200': {description: d, headers: {etag: {$ref: '#/components/parameters/tag'}}}}}}") +
			"components: {parameters: {tag: {name: ETag, in: header, required: true, schema: {type: string}}}}\n",
		"/paths/~1a/get/responses/200/headers", `{"ETag":{"required":true,"schema":{"type":"string"}}}`,
		"/paths/~1a/get/responses/200/headers/etag a response header refers to the parameter #/components/parameters/tag; it becomes the header ETag with the parameter's schema",
	},
	{
		"types that go without saying", "implied-type",
		schemas("3.1.0", "A: {properties: {a: {items: {enum: [1, 2]}}, b: {const: x}, c: true}}\n"),
		"/components/schemas/A", `{"properties":{"a":{"items":{"enum":[1,2],"type":"integer"},"type":"array"},"b":{"const":"x","type":"string"},"c":{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}},"type":"object"}`,
		"",
	},
	{
		"a $ref into a schema", "deep-reference",
		schemas("3.1.0", "A: {type: object, properties: {a: {type: object, properties: {b: {type: string}}}, c: {$ref: '#/components/schemas/A/properties/a'}}}\n"),
		"/components/schemas/A/properties", `{"a":{"$ref":"#/components/schemas/AA"},"c":{"$ref":"#/components/schemas/AA"}}`,
		"/components/schemas/A/properties/c the $ref leads to #/components/schemas/A/properties/a, which is no component; it is the component AA now",
	},
	{
		"keywords beside a $ref", "ref-siblings",
		schemas("3.1.0", "A: {type: object, properties: {a: {$ref: '#/components/schemas/B', const: x, description: d}}}\nB: {type: string}\n"),
		"/components/schemas/A/properties/a", `{"$ref":"#/components/schemas/B"}`,
		"/components/schemas/A/properties/a const beside a $ref narrows values only; the Go type is that of #/components/schemas/B",
	},
	{
		"nullable in 3.1", "leftover-nullable",
		schemas("3.1.0", "A: {type: object, properties: {a: {type: integer, nullable: true}}}\n"),
		"/components/schemas/A/properties/a", `{"type":["integer","null"]}`,
		"/components/schemas/A/properties/a nullable: true stands in an OpenAPI 3.1 document; the schema admits null in the way of 3.1 now",
	},
	{
		"nullable in 3.0", "leftover-nullable",
		schemas("3.0.3", "A: {type: object, properties: {a: {nullable: true, oneOf: [{$ref: '#/components/schemas/B'}, {type: string}]}}}\nB: {type: object, properties: {b: {type: string}}}\n"),
		"/components/schemas/A/properties/a", `{"oneOf":[{"$ref":"#/components/schemas/B"},{"type":"string"},{"type":"null"}]}`,
		"",
	},
	{
		"null in a union", "null-in-union",
		schemas("3.1.0", "A: {type: object, properties: {a: {description: d, anyOf: [{type: 'null'}, {type: array, items: {type: string}}]}}}\n"),
		"/components/schemas/A/properties/a", `{"description":"d","type":["array","null"],"items":{"type":"string"}}`,
		"/components/schemas/A/properties/a its anyOf with null is the way to say nullable",
	},
	{
		"a union that only narrows", "narrowing-union",
		schemas("3.1.0", "A: {type: object, properties: {a: {type: string}}, oneOf: [{required: [a]}, {maxProperties: 0}], not: {required: [b]}}\n"),
		"/components/schemas/A", `{"type":"object","properties":{"a":{"type":"string"}}}`,
		"/components/schemas/A the arms of its oneOf only narrow the values; the Go type has no union",
	},
	{
		"an enumeration said value by value", "narrowing-union",
		schemas("3.1.0", "A: {type: string, oneOf: [{const: a, title: The first}, {const: b}]}\n"),
		"/components/schemas/A", `{"type":"string","enum":["a","b"]}`,
		"/components/schemas/A the arms of its oneOf are single values; it is an enumeration",
	},
	{
		"a base without a union", "base-as-union",
		schemas("3.1.0", "A: {type: object, discriminator: {propertyName: t}, properties: {t: {type: string}}}\nB: {allOf: [{$ref: '#/components/schemas/A'}], properties: {b: {type: string}}}\n"),
		"/components/schemas", `{"A":{"oneOf":[{"$ref":"#/components/schemas/B"},{"$ref":"#/components/schemas/ABase"}],"discriminator":{"propertyName":"t","mapping":{"B":"#/components/schemas/B","A":"#/components/schemas/ABase"}}},` +
			`"B":{"type":"object","properties":{"t":{"type":"string"},"b":{"type":"string"}}},"ABase":{"type":"object","properties":{"t":{"type":"string"}}}}`,
		"/components/schemas/A a discriminator without oneOf would lose the fields of its 2 subtypes; it is their union now, and they extend ABase",
	},
	{
		"a union of subtypes", "union-discriminator",
		schemas("3.1.0", "A: {anyOf: [{$ref: '#/components/schemas/B'}]}\nB: {allOf: [{$ref: '#/components/schemas/C'}], properties: {b: {type: string}}}\n"+
			"C: {type: object, discriminator: {propertyName: t, mapping: {b: B}}, properties: {t: {type: string}}}\n"),
		"/components/schemas/A/discriminator", `{"propertyName":"t","mapping":{"b":"#/components/schemas/B"}}`,
		"/components/schemas/A its 1 arms are told apart by t, as the base that they extend says",
	},
	{
		"a union in a union with null", "null-in-union",
		schemas("3.1.0", "A: {type: object, properties: {a: {anyOf: [{oneOf: [{type: string}, {type: integer}]}, {type: 'null'}]}}}\n"),
		"/components/schemas/A/properties/a", `{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`,
		"/components/schemas/A/properties/a its anyOf with null is the way to say nullable",
	},
	{
		"a component that is true", "raw-json",
		schemas("3.1.0", "A: true\n"),
		"/components/schemas/A", `{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
		"/components/schemas/A it has no type and admits anything; it is kept as raw JSON",
	},
	{
		"a union with an arm that is true", "raw-json",
		schemas("3.1.0", "A: {anyOf: [{type: string}, true]}\n"),
		"/components/schemas/A", `{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
		"/components/schemas/A an arm of it admits anything; it is kept as raw JSON",
	},
	{
		"a union that admits null by an arm of an arm", "null-in-union",
		schemas("3.1.0", "A: {anyOf: [{oneOf: [{type: [string, 'null']}, {type: boolean}, {type: 'null'}]}, {type: integer}]}\n"),
		"/components/schemas/A/anyOf/2", `{"type":"null"}`,
		"/components/schemas/A null is among the values of an arm; its anyOf says so now",
	},
	{
		"a property that is required and not described", "required-property",
		schemas("3.1.0", "A: {type: object, required: [a, b], properties: {a: {type: string}}}\n"),
		"/components/schemas/A/properties", `{"a":{"type":"string"},"b":{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}}`,
		"/components/schemas/A the property b is required and not described; it may be anything",
	},
	{
		"a discriminator of arms without a name", "nameless-arm",
		schemas("3.1.0", "A: {oneOf: [{type: object, properties: {t: {type: string}}}], discriminator: {propertyName: t}}\n"),
		"/components/schemas/A", `{"oneOf":[{"type":"object","properties":{"t":{"type":"string"}}}]}`,
		"/components/schemas/A an arm without a name has no discriminator value; the union has no discriminator now",
	},
	{
		"a property that two members describe", "all-of",
		schemas("3.1.0", "A: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {b: {type: object, properties: {y: {type: string}}}}}], required: [b]}\n"+
			"B: {type: object, properties: {b: {type: object, properties: {x: {type: integer}}}}}\n"),
		"/components/schemas/A", `{"type":"object","properties":{"b":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"string"}}}},"required":["b"]}`,
		"",
	},
	{
		"members that disagree", "all-of",
		schemas("3.1.0", "A: {allOf: [{type: string}, {type: object}]}\n"),
		"/components/schemas/A", `{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
		"/components/schemas/A the members of its allOf disagree: no type fits them all; it is kept as raw JSON",
	},
	{
		"a property that adds to what contains it", "all-of",
		schemas("3.1.0", "A: {type: object, properties: {a: {allOf: [{$ref: '#/components/schemas/A'}], properties: {b: {type: string}}}}}\n"),
		"/components/schemas", `{"A":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/AA"}}},` +
			`"AA":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/AA"},"b":{"type":"string"}}}}`,
		"/components/schemas/A/properties/a it adds to a schema that contains it; it is the component AA now",
	},
	{
		"a value without a name", "enumeration",
		schemas("3.1.0", "A: {type: [string, 'null'], enum: [a, '!', null]}\n"),
		"/components/schemas/A", `{"type":["string","null"]}`,
		`/components/schemas/A its value "!" cannot be named in Go; the Go type has no constants`,
	},
	{
		"a value beyond its type", "enumeration",
		schemas("3.1.0", "A: {type: integer, format: int32, enum: [1, 3000000000]}\n"),
		"/components/schemas/A", `{"type":"integer","format":"int64","enum":[1,3000000000]}`,
		"/components/schemas/A its value 3000000000 is beyond the type int32; the type is int64 now",
	},
	{
		"a value that only an unsigned type holds", "enumeration",
		schemas("3.1.0", "A: {type: integer, enum: [1, 9223372036854775808]}\n"),
		"/components/schemas/A", `{"type":"integer","enum":[1,9223372036854775808],"format":"uint64"}`,
		"/components/schemas/A its value 9223372036854775808 is beyond the type int64; the type is uint64 now",
	},
	{
		"values that no integer type holds", "enumeration",
		schemas("3.1.0", "A: {type: [integer, 'null'], format: int64, enum: [-1, 9223372036854775808]}\n"),
		"/components/schemas/A", `{"type":["number","null"],"x-go-type":"json.Number"}`,
		"/components/schemas/A its value 9223372036854775808 is beyond every integer type of Go; the Go type has no constants",
	},
	{
		"a parameter's value that no integer type holds", "enumeration",
		paths("/a: {get: {operationId: a, responses: {}, parameters: [{name: q, in: query, schema: {type: integer, const: 18446744073709551616}}]}}"),
		"/paths/~1a/get/parameters/0/schema", `{"type":"integer"}`,
		"/paths/~1a/get/parameters/0/schema its value 18446744073709551616 is beyond every integer type of Go; the Go type has no constants",
	},
	{
		"anything", "raw-json",
		schemas("3.1.0", "A: {type: object, properties: {a: {description: d}}}\n"),
		"/components/schemas/A/properties/a", `{"description":"d","x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
		"/components/schemas/A/properties/a it has no type and admits anything; it is kept as raw JSON",
	},
	{
		"a name that no tag can hold", "raw-json",
		schemas("3.1.0", "A: {type: object, properties: {'a,b': {type: string}}}\n"),
		"/components/schemas/A", `{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
		`/components/schemas/A no Go field can be tagged with the property name "a,b"; it is kept as raw JSON`,
	},
	{
		"a parameter of several types", "text",
		paths("/a: {get: {operationId: a, responses: {}, parameters: [{name: q, in: query, schema: {oneOf: [{type: string}, {type: integer}]}}]}}"),
		"/paths/~1a/get/parameters/0/schema", `{"type":"string"}`,
		"/paths/~1a/get/parameters/0/schema it may be one of several things, and all of them are text here; it is a string",
	},
	{
		"a parameter that is a union of itself", "text",
		paths("/a: {get: {operationId: a, responses: {}, parameters: [{name: q, in: query, schema: {$ref: '#/components/schemas/A'}}]}}") +
			"components: {schemas: {A: {oneOf: [{$ref: '#/components/schemas/A'}]}}}\n",
		"/paths/~1a/get/parameters/0/schema", `{"type":"string"}`,
		"/paths/~1a/get/parameters/0/schema it may be one of several things, and all of them are text here; it is a string",
	},
	{
		"a number", "exact-number",
		schemas("3.1.0", "A: {type: object, properties: {a: {type: number}, b: {type: number, format: double}}}\n"),
		"/components/schemas/A/properties", `{"a":{"type":"number","x-go-type":"json.Number"},"b":{"type":"number","format":"double"}}`,
		"/components/schemas/A/properties/a a number that no format calls float or double may have more digits than a float64; it is a json.Number",
	},
	{
		"an array of itself", "recursive-type",
		schemas("3.1.0", "A: {type: array, items: {$ref: '#/components/schemas/A'}}\n"),
		"/components/schemas/A/items", `{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
		"/components/schemas/A its elements are it again, which no Go type can be; each is kept as raw JSON",
	},
	{
		"an array of objects that have it again", "recursive-type",
		schemas("3.1.0", "A: {type: array, items: {type: object, properties: {a: {type: object, properties: {b: {$ref: '#/components/schemas/B'}}}}}}\n"+
			"B: {type: array, items: {$ref: '#/components/schemas/A'}}\n"),
		"/components/schemas", `{"A":{"type":"array","items":{"$ref":"#/components/schemas/AItems"}},"B":{"type":"array","items":{"$ref":"#/components/schemas/A"}},` +
			`"AItems":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/B"}}}}}}`,
		"/components/schemas/A/items the elements lead back to what they are elements of, for which Go needs a name; they are the component AItems now",
	},
	{
		"an array of maps of itself", "recursive-type",
		schemas("3.1.0", "A: {type: array, items: {type: object, additionalProperties: {type: array, items: {$ref: '#/components/schemas/A'}}}}\n"),
		"/components/schemas/A/items", `{"$ref":"#/components/schemas/AItems"}`,
		"/components/schemas/A/items the elements lead back to what they are elements of, for which Go needs a name; they are the component AItems now",
	},
	{
		"a schema that is nothing but itself", "recursive-type",
		schemas("3.1.0", "A: {oneOf: [{$ref: '#/components/schemas/B'}, {type: 'null'}]}\nB: {allOf: [{$ref: '#/components/schemas/A'}]}\n"),
		"/components/schemas/A", `{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
		"/components/schemas/A it is nothing but itself; it is kept as raw JSON",
	},
	{
		"an object that requires itself", "recursive-type",
		schemas("3.1.0", "A: {type: object, required: [b], properties: {b: {$ref: '#/components/schemas/B'}}}\nB: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/A'}}}\n"),
		"/components/schemas/B/properties/a", `{"$ref":"#/components/schemas/A"}`,
		"/components/schemas/A/properties/b the schema requires itself here, which no Go type can; it is kept as raw JSON",
	},
	{
		"two schemas of one name", "distinct-name",
		schemas("3.1.0", "A: {type: object, properties: {b: {$ref: '#/components/schemas/a'}}}\na: {type: string}\n"),
		"/components/schemas", `{"A":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/aSchema"}}},"aSchema":{"type":"string"}}`,
		"/components/schemas/a the Go name A is taken by another component or operation; it is called ASchema in Go",
	},
	{
		"two properties of one name", "distinct-field",
		schemas("3.1.0", "A: {type: object, properties: {a-b: {type: string}, a_b: {$ref: '#/components/schemas/B'}}}\nB: {type: string}\n"),
		"/components/schemas/A/properties", `{"a-b":{"type":"string"},"a_b":{"allOf":[{"$ref":"#/components/schemas/B"}],"x-go-name":"AB2"}}`,
		"/components/schemas/A/properties/a_b another field or method has the Go name AB; the field is called AB2",
	},
	{
		"two parameters of one name", "distinct-parameter",
		paths("/a/{body}: {get: {operationId: a, responses: {}, parameters: [{name: body, in: path, required: true, schema: {type: string}}]}}"),
		"/paths/~1a~1{body}/get/parameters/0/x-go-name", `"Body2"`,
		"/paths/~1a~1{body}/get/parameters/0 another parameter or field has the Go name Body; the field is called Body2",
	},
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.kind+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, c.source)
			repairs, err := repair.Apply(d, repair.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(d.Lookup(document.Pointer(c.at)).JSON())); diff != "" {
				t.Errorf("%s (-want +got)\n%s", c.at, diff)
			}
			var reported []string
			for _, r := range repairs {
				if r.Name == c.kind {
					reported = append(reported, r.Pointer+" "+r.Reason)
				}
			}
			switch {
			case c.reported == "" && len(reported) > 0:
				t.Errorf("reported %q", reported)
			case c.reported != "" && !slices.Contains(reported, c.reported):
				t.Errorf("reported %q, want %q", reported, c.reported)
			}
		})
	}
}

// Every kind of repair has a case, but for those that the configuration asks
// for.
func TestKindsAreAllProven(t *testing.T) {
	t.Parallel()
	for _, kind := range repair.Kinds {
		if kind.Name == "optional-property" || kind.Name == "raw-schema" {
			continue
		}
		if kind.What == "" {
			t.Errorf("%s says nothing of itself", kind.Name)
		}
		proven := false
		for _, c := range cases {
			proven = proven || c.kind == kind.Name
		}
		if !proven {
			t.Errorf("no case shows %s", kind.Name)
		}
	}
}

func parse(t *testing.T, source string) *document.Document {
	t.Helper()
	d, err := document.Parse("api.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// A repaired document needs no repairs: each says what it means in the form that
// it looks for.
func TestRepairsAreDone(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		d := parse(t, c.source)
		if _, err := repair.Apply(d, repair.Options{}); err != nil {
			t.Fatal(err)
		}
		before := string(d.Root.JSON())
		if slices.Contains([]string{"distinct-field", "distinct-parameter", "exact-number"}, c.kind) || strings.Contains(before, "x-go-") {
			continue // marks for the renderer, which a document must not bring along
		}
		again, err := repair.Apply(d, repair.Options{})
		if err != nil || len(again) > 0 {
			t.Errorf("%s: %v, then %v", c.name, again, err)
		}
		if diff := cmp.Diff(before, string(d.Root.JSON())); diff != "" {
			t.Errorf("%s changes again (-once +twice)\n%s", c.name, diff)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	source := schemas("3.1.0", "A: {type: object, required: [b, c], properties: {b: {$ref: '#/components/schemas/B'}, c: {type: string}}}\n"+
		"B: {type: object, properties: {x: {type: string}}}\nC: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {y: {type: string}}}]}\n")
	d := parse(t, source)
	repairs, err := repair.Apply(d, repair.Options{Raw: []string{"B"}, Optional: []string{"A.c"}, Renames: map[string]string{"B": "Bee"}})
	if err != nil {
		t.Fatal(err)
	}
	const raw = `{"x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`
	want := `{"A":{"type":"object","required":["b"],"properties":{"b":{"$ref":"#/components/schemas/Bee"},"c":{"type":"string"}}},"Bee":` + raw + `,"C":` + raw + `}`
	if diff := cmp.Diff(want, string(d.Root.At("components", "schemas").JSON())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var names []string
	for _, r := range repairs {
		names = append(names, r.Name+" "+r.Pointer)
	}
	wantNames := []string{
		"optional-property /components/schemas/A/required", "raw-schema /components/schemas/B",
		"raw-schema /components/schemas/C", "distinct-name /components/schemas/B",
	}
	if diff := cmp.Diff(wantNames, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOptionsThatNameNothing(t *testing.T) {
	t.Parallel()
	source := schemas("3.1.0", "A: {type: object, required: [b], properties: {b: {type: string}}}\nB: {type: string}\n")
	for want, opts := range map[string]repair.Options{
		"raw: the document has no schema X":                     {Raw: []string{"A", "X"}},
		`optional: "A" is not of the form Schema.property`:      {Optional: []string{"A"}},
		`optional: "X.b": the document has no schema X`:         {Optional: []string{"X.b"}},
		`optional: "A.x": the schema does not require x itself`: {Optional: []string{"A.x"}},
		"renames: the document has no schema X":                 {Renames: map[string]string{"X": "Y"}},
		`renames: A: "a" is not an exported Go name`:            {Renames: map[string]string{"A": "a"}},
		`renames: A: "T-1" is not an exported Go name`:          {Renames: map[string]string{"A": "T-1"}},
		"renames: A: the document already has a schema B":       {Renames: map[string]string{"A": "B"}},
	} {
		if _, err := repair.Apply(parse(t, source), opts); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", opts, err, want)
		}
	}
}

func TestWhatCannotBeRepaired(t *testing.T) {
	t.Parallel()
	for want, source := range map[string]string{
		"api.yaml:11:8: the schema extends itself, by way of #/components/schemas/A (at #/components/schemas/A)": schemas("3.1.0",
			"A: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {a: {type: string}}}]}\nB: {allOf: [{$ref: '#/components/schemas/A'}, {properties: {b: {type: string}}}]}\n"),
		"api.yaml:12:8: the schema extends itself, by way of #/components/schemas/A (at #/components/schemas/A)": schemas("3.1.0",
			"C: {allOf: [{$ref: '#/components/schemas/A'}]}\nA: {allOf: [{allOf: [{$ref: '#/components/schemas/A'}]}]}\n"),
		"api.yaml:12:8: the schema extends itself, by way of #/components/schemas/B (at #/components/schemas/B)": schemas("3.1.0",
			"A: {type: object, discriminator: {propertyName: t}, properties: {t: {type: string}}}\n"+
				"B: {allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/C'}]}\nC: {allOf: [{$ref: '#/components/schemas/B'}]}\n"),
		"api.yaml:13:8: the schema extends itself, by way of #/components/schemas/A (at #/components/schemas/A)": schemas("3.1.0",
			"Z: {type: string}\nY: {type: string}\nA: {allOf: [{$ref: '#/components/schemas/B'}]}\nB: {$ref: '#/components/schemas/C'}\nC: {allOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/A'}]}\n"),
		"api.yaml:4:79: a response header refers to #/components/parameters/q, which does not describe a header (at #/paths/~1a/get/responses/200/headers/q)": paths("/a: {get: {operationId: a, responses: {'200': {description: d, headers: {q: {$ref: '#/components/parameters/q'}}}}}}") +
			"components: {parameters: {q: {name: q, in: query, schema: {type: string}}}}\n",
	} {
		_, err := repair.Apply(parse(t, source), repair.Options{})
		var fault *document.Error
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
