package document_test

import (
	"errors"
	"testing"

	"github.com/onceberg/onceberg/generator/document"
)

// FuzzParse looks for input that makes the loader panic, fail with an error of
// another type, or write JSON that it would not read back as the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"openapi: 3.1.1\npaths:\n  /a: {get: {responses: {200: {$ref: '#/a'}}}}\n",
		`{"openapi": "3.0.3", "paths": {"/a": {"get": {"operationId": "\ud83d\ude00"}}}}`,
		"a: &a {x: &b {default: [1, ~, !!str 2, 2020-01-01]}}\nc: {<<: [*a], y: *b}\n",
		"a: |2\n   b\n  c\nc: >-\n  d\n\n  e\n# f\n",
		"a: &a\n  b: *a\n",
		"a: [0x1F, 1_000, +1, .5, .inf]\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		d, err := document.Parse("api", source)
		if err != nil {
			var fault *document.Error
			if !errors.As(err, &fault) || fault.Problem == "" || fault.File != "api" {
				t.Fatalf("unexpected kind of error: %#v", err)
			}
			return
		}
		_ = d.Check() // must not panic
		text := d.Root.JSON()
		again, err := document.Parse("api", text)
		if err != nil {
			t.Fatalf("reading the JSON back: %v\n%s", err, text)
		}
		if got := again.Root.JSON(); string(got) != string(text) {
			t.Fatalf("the JSON reads as something else\n%s\n%s", text, got)
		}
	})
}
