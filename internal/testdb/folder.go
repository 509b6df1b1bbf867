package testdb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const folderPrefix = "onceberg-testdb-"

// newFolder creates the folder of one server. Its name carries the number of
// this process, so that a later run can tell whose it was.
func newFolder() (string, error) {
	sweepOnce()
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", folderPrefix, os.Getpid()))
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o700)
}

var sweepOnce = sync.OnceFunc(sweep)

// sweep removes the folders of test processes that died without removing
// them. Whatever it cannot remove is somebody else's.
func sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	for _, dir := range dirs {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), folderPrefix), "-")
		pid, err := strconv.Atoi(owner)
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir)
		}
	}
}
