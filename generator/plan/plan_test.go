package plan_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
	"github.com/onceberg/onceberg/generator/repair"
	"github.com/onceberg/onceberg/runtime"
)

// build makes the plan of an operation "POST /a" or of whole path items.
func build(t *testing.T, source string, opts plan.Options) (*plan.Plan, error) {
	t.Helper()
	read, err := document.Parse("api.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Check(); err != nil {
		t.Fatal(err)
	}
	repaired := read.Clone()
	if _, err := repair.Apply(repaired, repair.Options{}); err != nil {
		t.Fatal(err)
	}
	return plan.Build(read, repaired, opts)
}

func must(t *testing.T, source string, opts plan.Options) *plan.Plan {
	t.Helper()
	p, err := build(t, source, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const head = "openapi: 3.1.0\ninfo: {title: T, version: '2'}\n"

// post is a document with one operation.
func post(operation string) string {
	return head + "paths: {'/a': {post: {operationId: a, " + operation + "}}}\n"
}

func TestDeclaredAt(t *testing.T) {
	t.Parallel()
	const ok = "responses: {'200': {description: d}}"
	for _, c := range []struct {
		name, source string
		opts         plan.Options
		declaredAt   string
		idempotent   bool
	}{
		{"inline", post("parameters: [{name: a, in: query, schema: {}}, {name: Idempotency-Key, in: header, schema: {}}], " + ok), plan.Options{}, "/paths/~1a/post/parameters/1", true},
		{"in another case", post("parameters: [{name: iDEMPOTENCY-kEY, in: header, schema: {}}], " + ok), plan.Options{}, "/paths/~1a/post/parameters/0", true},
		{
			"by $ref", head + "paths: {/a: {post: {operationId: a, parameters: [{$ref: '#/components/parameters/k'}], " + ok + "}}}\ncomponents: {parameters: {k: {name: idempotency-key, in: header, schema: {}}}}\n",
			plan.Options{},
			"/paths/~1a/post/parameters/0", true,
		},
		{"on the path item", head + "paths: {/a: {parameters: [{name: Idempotency-Key, in: header, schema: {}}], post: {operationId: a, " + ok + "}}}\n", plan.Options{}, "/paths/~1a/parameters/0", true},
		{"in the query", post("parameters: [{name: Idempotency-Key, in: query, schema: {}}], " + ok), plan.Options{}, "", false},
		{"nowhere", post(ok), plan.Options{}, "", false},
		{"on a read", strings.Replace(post("parameters: [{name: Idempotency-Key, in: header, schema: {}}], "+ok), "post", "get", 1), plan.Options{}, "/paths/~1a/get/parameters/0", false},
		{"by configuration", post(ok), plan.Options{Also: []string{"a"}}, "also", true},
		{"declared and configured", post("parameters: [{name: Idempotency-Key, in: header, schema: {}}], " + ok), plan.Options{Also: []string{"a"}}, "/paths/~1a/post/parameters/0", true},
		{"excepted", post("parameters: [{name: Idempotency-Key, in: header, schema: {}}], " + ok), plan.Options{Except: []string{"a"}}, "/paths/~1a/post/parameters/0", false},
		{"another header", post("parameters: [{name: X-Key, in: header, schema: {}}], " + ok), plan.Options{Header: "x-key"}, "/paths/~1a/post/parameters/0", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := must(t, c.source, c.opts)
			op := p.Operations[0]
			if op.DeclaredAt != c.declaredAt || op.Idempotent != c.idempotent {
				t.Errorf("declared at %q, idempotent %t", op.DeclaredAt, op.Idempotent)
			}
			if want := http.CanonicalHeaderKey(c.opts.Header); want != "" && p.KeyHeader != want {
				t.Errorf("the header is %q", p.KeyHeader)
			}
		})
	}
}

// The generator says of a declared status what the runtime does with it.
func TestFinalStatusesAreTheRuntimes(t *testing.T) {
	t.Parallel()
	var responses []string
	for status := 200; status < 600; status++ {
		responses = append(responses, "'"+strconv.Itoa(status)+"': {description: d}")
	}
	p := must(t, post("responses: {"+strings.Join(responses, ", ")+"}"), plan.Options{Also: []string{"a"}})
	for _, list := range []struct {
		statuses []string
		final    bool
	}{{p.Operations[0].FinalStatuses, true}, {p.Operations[0].ReleasedStatuses, false}} {
		for _, status := range list.statuses {
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Fatal(err)
			}
			if runtime.Final(code) != list.final {
				t.Errorf("%d: the plan says final %t, the runtime does not", code, list.final)
			}
		}
	}
	if got := len(p.Operations[0].FinalStatuses) + len(p.Operations[0].ReleasedStatuses); got != 400 {
		t.Errorf("the plan decides about %d statuses of 400", got)
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	responses := "responses: {default: {description: d}, 2XX: {description: d}, 4xx: {description: d}, 5XX: {description: d}, '409': {description: d}, '503': {description: d}}"
	for extra, unknown := range map[string]bool{"": false, ", '500': {description: d}": true, ", '502': {description: d}": true, ", '504': {description: d}": true} {
		op := must(t, post(strings.TrimSuffix(responses, "}")+extra+"}"), plan.Options{Also: []string{"a"}}).Operations[0]
		if diff := cmp.Diff([]string{"2XX", "409"}, op.FinalStatuses); diff != "" {
			t.Errorf("final (-want +got)\n%s", diff)
		}
		if op.StateUnknown != unknown {
			t.Errorf("%s: state unknown %t", extra, op.StateUnknown)
		}
	}
	op := must(t, post(responses), plan.Options{}).Operations[0]
	if len(op.FinalStatuses)+len(op.ReleasedStatuses) > 0 {
		t.Errorf("an operation without a key has final statuses: %+v", op)
	}
	if diff := cmp.Diff([]string{"2XX", "409", "4XX", "503", "5XX", "DEFAULT"}, op.Statuses); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOAuthErrors(t *testing.T) {
	t.Parallel()
	body := func(schema string) string {
		return post("responses: {'400': {description: d, content: {application/json: {schema: " + schema + "}}}}")
	}
	for schema, want := range map[string]bool{
		"{type: object, properties: {error: {type: string}, error_description: {type: string}}}": true,
		"{type: object, properties: {error: {type: object}, error_description: {type: string}}}": false,
		"{type: object, properties: {error: {type: string}}}":                                    false,
	} {
		if got := must(t, body(schema), plan.Options{}).Operations[0].OAuthErrors; got != want {
			t.Errorf("%s: %t", schema, got)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	source := head + `paths:
  /a:
    post:
      operationId: a
      responses:
        "200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Result"}}}}
        "201": {description: d, content: {text/plain: {schema: {$ref: "#/components/schemas/Token"}}}}
        "400": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Token"}}}}
components:
  schemas:
    Result:
      allOf: [{$ref: "#/components/schemas/Base"}]
      properties:
        config: {type: object, additionalProperties: {type: string}}
        list: {type: array, items: {$ref: "#/components/schemas/Token"}}
        map: {type: object, additionalProperties: {$ref: "#/components/schemas/Token"}}
        either: {oneOf: [{$ref: "#/components/schemas/Token"}, {type: string}]}
        again: {$ref: "#/components/schemas/Result"}
        PIN: {type: string}
        base: {$ref: "#/components/schemas/Base2"}
        a/b: {type: object, properties: {password: {type: string}}}
    Base: {type: object, properties: {storage-credentials: {type: array, items: {type: object}}}}
    Base2: {type: object, discriminator: {propertyName: t}, properties: {t: {type: string}}}
    Sub: {allOf: [{$ref: "#/components/schemas/Base2"}], properties: {secret: {type: string}}}
    Token: {type: object, properties: {token: {type: string}, name: {type: string}}}
`
	op := must(t, source, plan.Options{SecretFields: []string{"PIN"}}).Operations[0]
	got := map[string]bool{}
	for _, s := range op.Secrets {
		if strings.HasPrefix(s.Pointer, "/again") {
			continue // to a bounded depth
		}
		got[s.Pointer] = s.Entries
	}
	want := map[string]bool{
		"/config": true, "/list/*/token": false, "/map/*/token": false, "/either/token": false, "/PIN": false,
		"/storage-credentials": false, "/a~1b/password": false, "/base/secret": false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	source := head + `paths:
  /v1/config: {get: {operationId: config, responses: {}}}
  /v1/{prefix}/things/{id}:
    get: {operationId: get, responses: {}}
    delete: {operationId: delete, responses: {}}
  /v1/things/{thing}: {get: {operationId: getWithout, responses: {}}}
  /v1/{prefix}/things:batch: {post: {operationId: batch, responses: {}}}
  /v1/{prefix}: {get: {operationId: prefixItself, responses: {}}}
`
	p := must(t, source, plan.Options{})
	got := map[string][]string{}
	for _, op := range p.Operations {
		got[op.ID] = op.Routes()
	}
	want := map[string][]string{
		"config":       {"/v1/config"},
		"get":          {"/v1/:prefix/things/:id"},
		"delete":       {"/v1/:prefix/things/:id", "/v1/things/:id"},
		"getWithout":   {"/v1/things/:thing"},
		"batch":        {`/v1/:prefix/things\:batch`, `/v1/things\:batch`},
		"prefixItself": {"/v1/:prefix"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	const ok = "responses: {'200': {description: d}}"
	for _, c := range []struct {
		source string
		opts   plan.Options
		want   string
	}{
		{post(ok), plan.Options{Also: []string{"b"}}, `also: the document has no operation "b"; it has a`},
		{post(ok), plan.Options{Also: []string{"A"}}, `also: the document has no operation "A"; did you mean "a"?`},
		{post(ok), plan.Options{Except: []string{"b"}}, `except: the document has no operation "b"; it has a`},
		{strings.Replace(post(ok), "post", "head", 1), plan.Options{Also: []string{"a"}}, "also: a is a HEAD, and reads take no idempotency key"},
		{post(ok), plan.Options{Also: []string{"a"}, Except: []string{"a"}}, "also and except both name the operation a"},
		{strings.Replace(post(ok), "/a'", "/a-{b}'", 1), plan.Options{}, `api.yaml:3:19: path segment "a-{b}" mixes a parameter with text, which Echo cannot route (at #/paths/~1a-{b})`},
		{strings.Replace(post(ok), "/a'", "/{b}{c}'", 1), plan.Options{}, `api.yaml:3:20: path segment "{b}{c}" mixes a parameter with text, which Echo cannot route (at #/paths/~1{b}{c})`},
		{strings.Replace(post(ok), "/a'", "/*'", 1), plan.Options{}, `api.yaml:3:15: path segment "*" holds a *, which Echo takes for a wildcard (at #/paths/~1*)`},
	} {
		if _, err := build(t, c.source, c.opts); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
