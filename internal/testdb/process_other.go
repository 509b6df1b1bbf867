//go:build unix && !linux

package testdb

import "syscall"

// dieWithParent does nothing where the kernel has no such service: a test
// process that is killed leaves its server running there.
func dieWithParent(*syscall.SysProcAttr, syscall.Signal) {}
