//go:build interop

package interop

import "syscall"

// dieWithParent makes the kernel end the process when the tests die without
// having stopped it.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
