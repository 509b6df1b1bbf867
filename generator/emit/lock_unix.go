//go:build darwin || linux

package emit

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no other run writes into a folder, whose files this one would
// take for leftovers. Where a file system has no locks, runs are not told apart;
// a lock ends with its process, so that none is left behind.
func lock(dir string) (unlock func()) {
	folder, err := os.Open(dir)
	if err != nil {
		return func() {} // reading it will fail, and tell why
	}
	for errors.Is(syscall.Flock(int(folder.Fd()), syscall.LOCK_EX), syscall.EINTR) {
	}
	return func() { folder.Close() }
}
