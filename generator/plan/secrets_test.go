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
