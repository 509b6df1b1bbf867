//go:build unix

package testproc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// Program returns a function that builds one of this module's commands when it is
// first called, and returns where it is. Flags are go build's, as in -tags.
//
//	var server = testproc.Program("server", "-tags", "chaos")
//
// It needs Main, which removes what was built.
func Program(command string, flags ...string) func() (path string, err error) {
	return sync.OnceValues(func() (string, error) { return build(command, flags) })
}

func build(command string, flags []string) (path string, err error) {
	if programs == "" {
		return "", errors.New("testproc: TestMain does not run the tests by testproc.Main")
	}
	folder, err := os.MkdirTemp(programs, "")
	if err != nil {
		return "", fmt.Errorf("testproc: %w", err)
	}
	path = filepath.Join(folder, command)
	args := append([]string{"build", "-o", path}, flags...)
	output, err := exec.Command("go", append(args, "github.com/onceberg/onceberg/cmd/"+command)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build cmd/%s: %w\n%s", command, err, output)
	}
	return path, nil
}

// programs is the folder of what was built, while Main runs.
var programs string

// Tests are what TestMain is to run: its argument, or what wraps it.
type Tests interface{ Run() int }

// Main wraps the tests of a package that calls for a Program.
func Main(tests Tests) Tests { return runner{tests} }

type runner struct{ tests Tests }

// Run runs the tests, removes the programs, and returns the exit code.
func (r runner) Run() (code int) {
	folder, err := os.MkdirTemp("", "onceberg-programs-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "testproc:", err)
		return 1
	}
	programs = folder
	defer func() {
		if err := os.RemoveAll(folder); err != nil {
			fmt.Fprintln(os.Stderr, "testproc:", err)
			code = max(code, 1)
		}
	}()
	return r.tests.Run()
}
