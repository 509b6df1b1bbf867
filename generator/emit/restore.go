package emit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// previousEnd ends the name of what stood in a file's place before this run.
const previousEnd = ".previous"

// besides matches the names of the files that a run makes beside those of the
// code: what stood there before, and what is to come, by a random number.
var besides = regexp.MustCompile(`^\.(.+\.gen\.go)\.(?:previous|[0-9]+)$`)

// leftover is a file of a run that was killed, made for the file called of.
type leftover struct{ name, of string }

// leftovers finds, in a folder, the files of ours that a run would have removed in
// the end. One is ours by its name and its first line, or by its name alone where
// the run was killed before that line was written.
func leftovers(dir string, entries []fs.DirEntry, wanted map[string]bool) []leftover {
	var found []leftover
	for _, entry := range entries {
		match := besides.FindStringSubmatch(entry.Name())
		if match == nil || !entry.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		begun := wanted[match[1]] && strings.HasPrefix(headerStart, string(text))
		if err == nil && (generated(text) || begun) {
			found = append(found, leftover{entry.Name(), match[1]})
		}
	}
	return found
}

// restore cleans up after a run that was killed: a file that it had moved away and
// not replaced is put back, and the rest of what it left is removed.
func restore(dir string, files []File) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, f := range files {
		wanted[f.Name] = true
	}
	for _, left := range leftovers(dir, entries, wanted) {
		path, place := filepath.Join(dir, left.name), filepath.Join(dir, left.of)
		_, err := os.Lstat(place)
		if errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(left.name, previousEnd) {
			err = os.Rename(path, place)
		} else {
			err = os.Remove(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
