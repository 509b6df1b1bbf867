package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// checkLinks refuses a path on the disk whose name is allowed and which leads elsewhere. Links are looked at each time,
// since somebody may make one at any time; whoever can do so between this look and the use of the file has the disk anyway.
func (s *Store) checkLinks(location string, at place) error {
	for _, within := range s.allowed {
		if within.contains(at) && straight(within.path(), at.path()) {
			return nil
		}
	}
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

// straight reports whether there is surely no link between a folder and a path below it. That is nearly always so, and
// costs a look at each segment in between.
func straight(folder, path string) bool {
	below := strings.Trim(strings.TrimPrefix(path, folder), "/")
	for segment := range strings.SplitSeq(below, "/") {
		folder = filepath.Join(folder, segment)
		info, err := os.Lstat(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return true
		}
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return false
		}
	}
	return true
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
