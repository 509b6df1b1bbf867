//go:build interop

package interop

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile("`([^`]+)`")

// TestDocumentedSettings holds that the documentation tells clients to set nothing
// that they are not tried with here: each column names what is in that client's
// tests.
func TestDocumentedSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Clients\n")
	section, _, _ = strings.Cut(section, "\n## ")
	sources := []string{sourceOf(t, "java/src"), sourceOf(t, "python"), sourceOf(t, "gocatalog")}
	count := 0
	for row := range strings.SplitSeq(section, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) != len(sources)+3 {
			continue
		}
		for i, source := range sources {
			for _, name := range quoted.FindAllStringSubmatch(cells[i+2], -1) {
				count++
				if !strings.Contains(name[1], ".enabled") && !strings.Contains(source, name[1]) {
					t.Errorf("%s: nobody tries %s", cells[1], name[1])
				}
			}
		}
	}
	if count == 0 {
		t.Error("the documentation names nothing")
	}
}

// sourceOf is all of a client's tests.
func sourceOf(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
