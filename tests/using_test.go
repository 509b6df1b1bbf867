package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUsing holds that docs/using.md shows no code but that of compiled examples.
func TestUsing(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/using.md")
	if err != nil {
		t.Fatal(err)
	}
	var examples strings.Builder
	for _, pattern := range []string{"../runtime/example_*_test.go", "../store/sqlstore/example_*_test.go", "../tests/clientsafety/example_*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			examples.Write(text)
		}
	}
	blocks := strings.Split(string(page), "```go\n")[1:]
	if len(blocks) < 6 {
		t.Errorf("there are %d pieces of code", len(blocks))
	}
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		for piece := range strings.SplitSeq(code, "\n}\n") {
			if !strings.Contains(examples.String(), strings.TrimSpace(piece)) {
				t.Errorf("no example has this:\n%s", piece)
			}
		}
	}
}
