//go:build interop && unix && !linux

package interop

import "syscall"

// dieWithParent does nothing where the kernel has no such service.
func dieWithParent(*syscall.SysProcAttr) {}
