package document_test

import (
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator/document"
)

// A reference that leads nowhere is told as such, at its own place, also when
// others lead to it.
func TestCheckTellsNowhereFromCircles(t *testing.T) {
	t.Parallel()
	const head = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n" +
		"        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}\ncomponents:\n  schemas:\n"
	for name, c := range map[string]struct{ schemas, want string }{
		"nowhere":  {"    A: {$ref: '#/components/schemas/Nope'}\n", `t.yaml:11:15: unresolvable $ref "#/components/schemas/Nope"`},
		"a circle": {"    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n", "circular $ref"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := document.Parse("t.yaml", []byte(head+c.schemas))
			if err == nil {
				err = d.Check()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
