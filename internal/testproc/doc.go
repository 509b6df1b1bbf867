// Package testproc builds this module's commands for tests, and runs programs for
// those that kill them: what a program says on its standard output is heard line by
// line, what it logs is kept, and a kill -9 is told from an end that nobody asked
// for. On Linux a program dies with the tests that started it.
package testproc
