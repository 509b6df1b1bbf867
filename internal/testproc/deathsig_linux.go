package testproc

import "syscall"

// dieWithParent makes the kernel kill the program when the tests die, frozen or
// not.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
