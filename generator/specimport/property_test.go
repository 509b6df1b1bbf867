package specimport_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/specimport"
)

// Whatever the document and its notation: the facts stay, the prose goes, and a
// second import changes nothing.
func TestImportProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		source, err := yaml.Marshal(anyDocument(rt))
		if err != nil {
			rt.Fatal(err)
		}
		imported, err := specimport.Import("api.yaml", source, iceberg)
		if err != nil {
			rt.Fatalf("%v\n%s", err, source)
		}
		want, got := withoutProse(decoded(t, source)), withoutProse(decoded(t, imported))
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("facts changed (-source +imported)\n%s\n%s", diff, source)
		}
		if strings.Contains(string(imported), mark) {
			rt.Fatalf("prose survives in\n%s", imported)
		}
		again, err := specimport.Import("api.yaml", imported, iceberg)
		if err != nil || !bytes.Equal(again, imported) {
			rt.Fatalf("a second import differs (error: %v)\n%s", err, cmp.Diff(string(imported), string(again)))
		}
		if diff := cmp.Diff(stripped(rt, source), stripped(rt, imported)); diff != "" {
			rt.Fatalf("the source and its import differ once stripped (-source +import)\n%s", diff)
		}
	})
}

// stripped is what the generator makes code from.
func stripped(t *rapid.T, source []byte) string {
	d, err := document.Parse("api.yaml", source)
	if err != nil {
		t.Fatal(err)
	}
	if err := specimport.Strip(d); err != nil {
		t.Fatal(err)
	}
	return string(d.Root.JSON())
}

// FuzzImport looks for input that makes Import panic, fail with an error of
// another type, or write what it would not read back as the same bytes.
func FuzzImport(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"openapi": "3.0.3", "info": {"title": "\ud83d\ude00"}, "paths": {"/a": {"get": {"responses": {"200": {}}}}}}`))
	f.Add([]byte(inSchema("properties: &a {x: &b {default: [1, ~, !!str 2, 2020-01-01]}}\npatternProperties: {<<: [*a], y: *b}")))
	f.Add([]byte(inSchema("x-a: |2\n   b\n  c\nx-c: >-\n  d\n\n  e\n# f\n")))
	f.Add([]byte(inSchema("properties: &a\n  a: *a\n")))
	f.Fuzz(func(t *testing.T, source []byte) {
		imported, err := specimport.Import("api.yaml", source, iceberg)
		if err != nil {
			var fault *document.Error
			if !errors.As(err, &fault) || fault.Problem == "" {
				t.Fatalf("unexpected kind of error: %v", err)
			}
			return
		}
		again, err := specimport.Import("api.yaml", imported, iceberg)
		if err != nil {
			t.Fatalf("importing the import: %v\n%s", err, imported)
		}
		if !bytes.Equal(again, imported) {
			t.Fatalf("a second import differs\n%s", cmp.Diff(string(imported), string(again)))
		}
	})
}
