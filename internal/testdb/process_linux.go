package testdb

import "syscall"

// dieWithParent makes the kernel send sig to the process when the tests die
// without having stopped it.
func dieWithParent(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }
