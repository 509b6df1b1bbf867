package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkLinks refuses a path on the disk whose name is allowed and which leads elsewhere. Links are looked at each time,
// since somebody may make one at any time; whoever can do so between this look and the use of the file has the disk anyway.
func (s *Store) checkLinks(location string, at place) error {
	real, err := resolve(at.path())
	if err != nil {
		return err
	}
	for _, within := range s.allowed {
		if within.local == "" {
			continue
		}
		folder, err := resolve(within.path())
		if err == nil && (place{local: folder}).contains(place{local: real}) {
			return nil
		}
	}
	return fmt.Errorf("%w: %q leads there by a link", ErrOutside, location)
}

// resolve returns a path without links. What does not exist yet is where the deepest of its parents that does leads to. A
// link to what does not exist leads nowhere that can be told, and is ErrOutside.
func resolve(path string) (string, error) {
	missing := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, missing), nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return "", err
		}
		if _, err := os.Lstat(path); err == nil {
			return "", fmt.Errorf("%w: %q is a link to nothing", ErrOutside, path)
		}
		path, missing = filepath.Dir(path), filepath.Join(filepath.Base(path), missing)
	}
}
