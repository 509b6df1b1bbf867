package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
)

// tangle is a document whose one answer is a set of schemas each of which has all
// others again, so that there are millions of ways through them.
func tangle(member string) string {
	const size = 20
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n" +
		"        '200': {description: d, content: {application/json: {schema: {type: object, properties: {" +
		"first: {$ref: '#/components/schemas/S0'}, own: {properties: {token: {type: string}}}}}}}}\ncomponents:\n  schemas:\n")
	for i := range size {
		fmt.Fprintf(&b, "    S%d:\n      properties:\n        %s: {type: string}\n", i, member)
		for j := range size {
			fmt.Fprintf(&b, "        p%d: {$ref: '#/components/schemas/S%d'}\n", j, j)
		}
	}
	return b.String()
}

func TestSecretsBesideATangle(t *testing.T) {
	t.Parallel()
	secrets := must(t, tangle("name"), plan.Options{}).Operations[0].Secrets
	if len(secrets) != 1 || secrets[0].Pointer != "/own/token" {
		t.Errorf("secrets %v", secrets)
	}
}

// A configured name must be that of a property of a success response, wherever it
// stands, and be it inside of another secret. The names known already need not be.
func TestSecretFieldsOfTheDocument(t *testing.T) {
	t.Parallel()
	source := head + `paths:
  /a:
    post:
      operationId: a
      requestBody: {content: {application/json: {schema: {type: object, properties: {asked: {type: string}}}}}}
      responses:
        "200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}
        "400": {description: d, content: {application/json: {schema: {type: object, properties: {refused: {type: string}}}}}}
components:
  schemas:
    A:
      type: object
      required: [undescribed]
      properties:
        card: {type: object, properties: {PIN: {type: string}}}
        list: {type: array, items: {$ref: "#/components/schemas/B"}}
    B: {allOf: [{type: object, properties: {deep: {type: string}}}]}
`
	for names, want := range map[string]string{
		"": "", "card": "", "deep": "", "card PIN": "", "PIN card list deep": "",
		"card tokn":   `secret-fields: no success response of the document has a property "tokn"`,
		"pin":         `secret-fields: no success response of the document has a property "pin"; did you mean "PIN"?`,
		"asked":       `secret-fields: no success response of the document has a property "asked"`,
		"refused":     `secret-fields: no success response of the document has a property "refused"`,
		"undescribed": `secret-fields: no success response of the document has a property "undescribed"`,
		"token":       `secret-fields: no success response of the document has a property "token"`,
	} {
		got := ""
		if _, err := build(t, source, plan.Options{SecretFields: strings.Fields(names)}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}

// A secret that is not found would be stored, so that a search which cannot end
// is an error.
func TestSecretsInATangle(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api.yaml", []byte(tangle("token")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = plan.Build(d, d, plan.Options{})
	const want = "api.yaml:8:9: its schemas contain each other in more ways than can be searched for secrets (at #/paths/~1a/get/responses)"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
