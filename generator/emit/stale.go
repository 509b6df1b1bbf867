package emit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Why says what is wrong with a file on disk.
type Why string

// What can be wrong with a file.
const (
	Missing     Why = "missing"
	Differs     Why = "differs"
	Superfluous Why = "no longer generated"
	Leftover    Why = "left by a run that was interrupted"
)

// StaleFile is a file that is not as generation would make it.
type StaleFile struct {
	Name string
	Why  Why
}

// Stale compares a folder with the files that should be in it, sorted by name. A
// folder that does not exist lacks them all.
func Stale(dir string, files []File) ([]StaleFile, error) {
	var stale []StaleFile
	wanted := map[string]bool{}
	for _, f := range files {
		wanted[f.Name] = true
		text, err := os.ReadFile(filepath.Join(dir, f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			stale = append(stale, StaleFile{f.Name, Missing})
		case err != nil:
			return nil, fmt.Errorf("output file: %w", err)
		case !bytes.Equal(text, f.Text):
			stale = append(stale, StaleFile{f.Name, Differs})
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	for _, left := range leftovers(dir, entries, wanted) {
		stale = append(stale, StaleFile{left.name, Leftover})
	}
	for _, entry := range entries {
		if wanted[entry.Name()] || !strings.HasSuffix(entry.Name(), ".gen.go") {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(dir, entry.Name())); err == nil && generated(text) {
			stale = append(stale, StaleFile{entry.Name(), Superfluous})
		}
	}
	slices.SortFunc(stale, func(a, b StaleFile) int { return strings.Compare(a.Name, b.Name) })
	return stale, nil
}
