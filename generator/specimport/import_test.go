package specimport_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator/specimport"
)

var iceberg = specimport.Provenance{
	Repository: specimport.IcebergRepository,
	Revision:   "0123abc",
	Path:       specimport.IcebergPath,
}

// top makes a document of the shortest head and what follows it.
func top(rest string) string {
	return "openapi: 3.1.1\ninfo:\n  title: T\n  version: '1'\n" + rest
}

// inSchema makes a document around one schema named S, in block YAML.
func inSchema(lines string) string {
	indented := "      " + strings.ReplaceAll(strings.TrimRight(lines, "\n"), "\n", "\n      ")
	return top("components:\n  schemas:\n    S:\n" + indented + "\n")
}

// facts imports a document and returns the result without its header.
func facts(t *testing.T, source string) string {
	t.Helper()
	out, err := specimport.Import("api.yaml", []byte(source), iceberg)
	if err != nil {
		t.Fatalf("Import: %v\n%s", err, source)
	}
	_, body, found := strings.Cut(string(out), "\n\n")
	if !found {
		t.Fatalf("no header above:\n%s", out)
	}
	return body
}

func TestImportKeepsFactsOfSchemas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{
			name: "prose of a schema goes, comments too",
			source: `
title: A title
description: A thing.
type: object # an object
# about the thing
example: {a: 1}
examples: [{a: 1}]
externalDocs: {url: https://example.org}
$comment: for maintainers
`,
			want: "type: object\n",
		},
		{
			name: "properties named like prose stay",
			source: `
properties:
  description: {type: string, description: gone}
  summary: {type: object, summary: gone, title: gone}
  title: {type: string}
  example: {type: string, example: gone}
  examples: {type: array, examples: [gone]}
  externalDocs: {type: string}
  $comment: {type: string}
  properties: {type: object, properties: {description: {type: string}}}
required: [description, summary]
`,
			want: `required:
  - description
  - summary
properties:
  description:
    type: string
  summary:
    type: object
  title:
    type: string
  example:
    type: string
  examples:
    type: array
  externalDocs:
    type: string
  $comment:
    type: string
  properties:
    type: object
    properties:
      description:
        type: string
`,
		},
		{
			name: "data is not looked into",
			source: `
default: {description: kept, example: [{summary: kept}]}
enum: [{title: kept}, 'A kept sentence. Yes.']
const: {examples: kept}
`,
			want: `const:
  examples: kept
enum:
  - title: kept
  - A kept sentence. Yes.
default:
  description: kept
  example:
    - summary: kept
`,
		},
		{
			name: "a mapping's names stay",
			source: `
discriminator:
  propertyName: type
  mapping: {description: '#/components/schemas/S', summary: '#/components/schemas/S'}
`,
			want: `discriminator:
  propertyName: type
  mapping:
    description: '#/components/schemas/S'
    summary: '#/components/schemas/S'
`,
		},
		{
			name: "prose goes at every place of a subschema",
			source: `
allOf: [{description: gone, type: object}]
anyOf: [{description: gone}]
oneOf: [{$ref: '#/components/schemas/S', description: gone}]
not: {title: gone}
items: {summary: gone}
additionalProperties: {example: gone}
patternProperties: {example: {description: gone}}
prefixItems: [{description: gone}]
if: {description: gone}
then: {description: gone}
$defs: {title: {description: gone}}
dependentSchemas: {summary: {description: gone}}
`,
			want: `allOf:
  - type: object
anyOf:
  - {}
oneOf:
  - $ref: '#/components/schemas/S'
not: {}
if: {}
then: {}
patternProperties:
  example: {}
additionalProperties: {}
dependentSchemas:
  summary: {}
prefixItems:
  - {}
items: {}
$defs:
  title: {}
`,
		},
		{
			name:   "schemas that are booleans",
			source: "additionalProperties: false\nitems: true\n",
			want:   "additionalProperties: false\nitems: true\n",
		},
		{
			name:   "the title of a constant names it",
			source: "oneOf:\n  - {const: 1, title: LOW, description: gone}\n  - {type: string, title: gone}\n",
			want:   "oneOf:\n  - title: LOW\n    const: 1\n  - type: string\n",
		},
		{
			name: "extensions stay unless they read as prose",
			source: `
x-go-type: json.RawMessage
x-enum-varnames: [A, B]
x-enum-descriptions: [first, second]
x-oapi-codegen-extra-tags: {validate: 'required,min=1'}
x-warning: Do not use this. It goes away.
x-faq: ['Is it fast? It is.', Two words.]
x-policy: {level: 3, text: Use it with care., deep: [{why: Because of this., at: 1}]}
newKeyword: 7
`,
			want: `x-go-type: json.RawMessage
x-enum-varnames:
  - A
  - B
x-oapi-codegen-extra-tags:
  validate: required,min=1
x-policy:
  level: 3
  deep:
    - at: 1
newKeyword: 7
`,
		},
		{
			name: "keys take their order, lists and properties keep theirs",
			source: `
properties: {z: {format: int64, type: integer}, a: {type: string}}
required: [z, a]
discriminator: {propertyName: z}
enum: [z, b, a]
type: object
`,
			want: `type: object
enum:
  - z
  - b
  - a
required:
  - z
  - a
discriminator:
  propertyName: z
properties:
  z:
    type: integer
    format: int64
  a:
    type: string
`,
		},
		{
			name:   "aliases are resolved",
			source: "properties:\n  a: &a {type: string, enum: &e [x]}\n  b: *a\n  c: {enum: *e}\n",
			want: `properties:
  a:
    type: string
    enum:
      - x
  b:
    type: string
    enum:
      - x
  c:
    enum:
      - x
`,
		},
		{
			name: "merge keys are resolved, own keys and earlier sources win",
			source: `
properties:
  base: &base {type: string, format: uuid}
  more: &more {type: integer, maxLength: 9}
  both: {<<: [*base, *more], format: date, nullable: true}
  '<<': {type: boolean}
`,
			want: `properties:
  base:
    type: string
    format: uuid
  more:
    type: integer
    maxLength: 9
  both:
    type: string
    format: date
    nullable: true
    maxLength: 9
  '<<':
    type: boolean
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(inSchema(c.want), facts(t, inSchema(strings.TrimLeft(c.source, "\n")))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestImportNormalisesScalars(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"numbers stay as they are written", `[1, -0.50, 9007199254740993, 1e3]`, "1|-0.50|9007199254740993|1e3"},
		{"strings that look like other values are quoted", `["1", "true", "null", "~", "0x1F", "1e3"]`, "'1'|'true'|'null'|'~'|'0x1F'|'1e3'"},
		{"booleans and numbers of YAML 1.1 are quoted", `["on", "No", "y", "12:30", "ok"]`, "'on'|'No'|'y'|'12:30'|ok"},
		{"unquoted dates are strings", `[2026-08-21, "2026-08-21"]`, "'2026-08-21'|'2026-08-21'"},
		{"unneeded quotes go", `["abc", 'a b', "a-b"]`, "abc|a b|a-b"},
		{"needed quotes are single", `["", "#x", "a: b", "- a", "it's: x", "{a}"]`, "''|'#x'|'a: b'|'- a'|'it''s: x'|'{a}'"},
		{"what is not printable is escaped", `["a\nb", "a\tb", "\x1F", "\u2028", "\ufeff"]`, `"a\nb"|"a\tb"|"\x1F"|"\L"|"\uFEFF"`},
		{"letters of any script stay", `["表", "ü"]`, "表|ü"},
		{"booleans and nulls have one spelling", `[True, FALSE, ~, Null]`, "true|false|null|null"},
		{"explicit tags become values", `[!!str 1, !!int "2", !!float 3, !!bool "true", !!null ""]`, "'1'|2|3|true|null"},
		{"a merge sign as a value is a string", `[<<]`, "'<<'"},
		{"block and folded text", "\n        - |\n          a\n          b\n        - >-\n          a\n          b", `"a\nb\n"|a b`},
		{"long lines are not folded", "[" + strings.Repeat("word ", 60) + "end]", strings.Repeat("word ", 60) + "end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := inSchema("enum:\n  - " + strings.ReplaceAll(c.want, "|", "\n  - "))
			if diff := cmp.Diff(want, facts(t, inSchema("enum: "+c.source))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestImportKeepsFactsOfDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{
			name: "info, servers and tags",
			source: `tags: [{name: A, description: gone, externalDocs: {url: u}}]
security: [{OAuth2: [catalog]}, {}]
paths: {}
servers:
  - {description: gone, url: '{host}/', variables: {description: {default: x, enum: [x], description: gone}}}
info: {version: 0.0.1, description: gone, summary: gone, license: {url: u, name: L}, title: T}
openapi: 3.1.0
`,
			want: `openapi: 3.1.0
info:
  title: T
  version: 0.0.1
  license:
    name: L
    url: u
servers:
  - url: '{host}/'
    variables:
      description:
        enum:
          - x
        default: x
security:
  - OAuth2:
      - catalog
  - {}
tags:
  - name: A
paths: {}
`,
		},
		{
			name: "an operation",
			source: top(`paths:
  /z/{id}:
    summary: gone
    description: gone
    put:
      responses:
        5XX: {description: gone}
        200:
          content:
            text/plain: {example: gone}
            application/json: {examples: {a: {value: gone}}, schema: {type: string}}
          headers: {example: {description: gone, example: gone, schema: {type: string}}}
          links: {next: {operationId: get, parameters: {description: $request.body}, description: gone}}
          description: gone
        default: {$ref: '#/components/responses/R', description: gone}
        404: {content: {}}
      requestBody: {content: {a/b: {encoding: {title: {headers: {summary: {description: gone}}}}}}, description: gone, required: true}
      callbacks: {example: {'{$url}': {post: {summary: gone, responses: {}}}}}
      deprecated: true
      operationId: put
      summary: gone
      description: gone
      externalDocs: {url: gone}
      tags: [B, A]
    get: {operationId: get, parameters: [{$ref: '#/p', summary: gone}, {name: example, in: query, example: gone, examples: {}}]}
  /a: {}
  x-stable: true
`),
			want: top(`paths:
  /z/{id}:
    put:
      tags:
        - B
        - A
      operationId: put
      deprecated: true
      requestBody:
        required: true
        content:
          a/b:
            encoding:
              title:
                headers:
                  summary: {}
      responses:
        5XX:
          description: ''
        '200':
          description: ''
          headers:
            example:
              schema:
                type: string
          content:
            text/plain: {}
            application/json:
              schema:
                type: string
          links:
            next:
              operationId: get
              parameters:
                description: $request.body
        default:
          $ref: '#/components/responses/R'
        '404':
          description: ''
          content: {}
      callbacks:
        example:
          '{$url}':
            post:
              responses: {}
    get:
      operationId: get
      parameters:
        - $ref: '#/p'
        - name: example
          in: query
  /a: {}
  x-stable: true
`),
		},
		{
			name: "components named like prose",
			source: top(`components:
  examples: {description: {value: gone}}
  securitySchemes:
    description: {type: oauth2, description: gone, flows: {clientCredentials: {scopes: {summary: gone, b: gone}, tokenUrl: u}}}
  responses: {summary: {description: gone}}
  schemas: {x-title: {type: string}, title: {type: string}}
  parameters: {example: {description: gone, schema: {example: gone}, in: header, name: description}}
`),
			want: top(`components:
  parameters:
    example:
      name: description
      in: header
      schema: {}
  responses:
    summary:
      description: ''
  schemas:
    x-title:
      type: string
    title:
      type: string
  securitySchemes:
    description:
      type: oauth2
      flows:
        clientCredentials:
          tokenUrl: u
          scopes:
            summary: ''
            b: ''
`),
		},
		{
			name: "JSON, with what YAML's parser would refuse",
			source: "\ufeff{\n\t\"openapi\": \"3.0.3\", \"paths\": {},\n\t\"info\": {\"title\": \"T\", \"version\": \"1\", \"description\": \"gone\"}," +
				"\n\t\"components\": {\"schemas\": {\"" + strings.Repeat("L", 1100) + "\": {\"default\": \"\\ud83d\\ude00\", \"minimum\": -1.50E+2}}}}",
			want: "openapi: 3.0.3\ninfo:\n  title: T\n  version: '1'\npaths: {}\ncomponents:\n  schemas:\n    ? " +
				strings.Repeat("L", 1100) + "\n    : default: \"\\U0001F600\"\n      minimum: -1.50E+2\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, facts(t, c.source)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
