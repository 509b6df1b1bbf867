package generator_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/document"
)

// FuzzGenerate looks for documents that make a stage panic. Whatever Load admits
// is generated from, or refused with an error.
func FuzzGenerate(f *testing.F) {
	seeds, err := filepath.Glob(filepath.Join("..", "tests", "golden", "cases", "*", "openapi.*"))
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, seed := range seeds {
		text, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	c := generator.DefaultConfig()
	c.Spec = "api.yaml"
	f.Fuzz(func(t *testing.T, spec []byte) {
		a, err := generator.Analyze(spec, c)
		if err != nil {
			var fault *document.Error
			if !errors.As(err, &fault) {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		files, err := a.Render()
		if err == nil && len(files) == 0 {
			t.Fatal("nothing was rendered, and nothing is wrong")
		}
	})
}
