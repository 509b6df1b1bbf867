package generator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator"
)

// A value of the wrong kind is told by its key and by what YAML calls it; nobody
// who writes the file knows the Go types behind it.
func TestReadConfigTellsKinds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"raw: {Thing: true}":                      "line 1: raw: a mapping where a list is wanted",
		"spec: a\nalso: createView":               "line 2: also: a single value where a list is wanted",
		"spec: a\nalso:\n  - createView\n  - [a]": "line 4: also: a list where a single value is wanted",
		"out: [a]":                   "line 1: out: a list where a single value is wanted",
		"renames:\n  - a":            "line 2: renames: a list where a mapping is wanted",
		"doc-comments: {from: spec}": "line 1: doc-comments: a mapping where a single value is wanted",
		"- spec":                     "line 1: the file: a list where a mapping is wanted",
		"spec":                       "line 1: the file: a single value where a mapping is wanted",
		"colour: red":                `line 1: unknown key "colour"`,
		"out: [a]\nraw: b":           "line 1: out: a list where a single value is wanted line 2: raw: a single value where a list is wanted",
		"spec: a\nspec: b":           `line 2: mapping key "spec" already defined at line 1`,
	} {
		file := filepath.Join(t.TempDir(), "onceberg.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := generator.ReadConfig(file)
		if err == nil || strings.TrimPrefix(err.Error(), "configuration "+file+": ") != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}
