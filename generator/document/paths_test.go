package document_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/onceberg/onceberg/generator/document"
)

func TestExtensionsBesidePathsAreNoPathItems(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api", []byte("openapi: 3.1 # unquoted\npaths:\n  x-get: {get: {operationId: a}}\n  /a: {get: {operationId: a}}\n  x-stable: true\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(maps.Keys(maps.Collect(d.PathItems()))); !slices.Equal(got, []string{"/a"}) {
		t.Errorf("path items %q", got)
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	if d.Version() != "3.1" {
		t.Errorf("version %q", d.Version())
	}
}

func TestIsHeader(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api", []byte(`
list:
  - {in: header, name: IDEMPOTENCY-key}
  - {$ref: '#/components/parameters/k'}
  - {in: query, name: Idempotency-Key}
  - {in: header, name: Other}
  - {$ref: '#/nowhere'}
  - text
components: {parameters: {k: {$ref: '#/list/0'}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []bool
	for _, parameter := range d.Root.Get("list").Elements() {
		got = append(got, d.IsHeader(parameter, "Idempotency-Key"))
	}
	if want := []bool{true, true, false, false, false, false}; !slices.Equal(got, want) {
		t.Errorf("IsHeader = %v, want %v", got, want)
	}
}
