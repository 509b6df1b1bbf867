package chaos

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// count counts the metadata files that no event has led to: what nodes wrote and
// died before they could commit or remove it.
func (l *ledger) count(c *cluster) {
	c.t.Helper()
	err := filepath.WalkDir(c.warehouse, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".metadata.json") {
			return err
		}
		if _, known := l.files["file://"+path]; !known {
			l.orphans++
		}
		return nil
	})
	if err != nil {
		c.t.Error(err)
	}
}
