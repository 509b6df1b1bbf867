//go:build unix && !linux

package testproc

import "syscall"

// dieWithParent leaves it to the program to notice that its input has ended.
func dieWithParent(*syscall.SysProcAttr) {}
