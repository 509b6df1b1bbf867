//go:build unix

package testproc_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/internal/testproc"
)

var (
	gen     = testproc.Program("gen", "-ldflags", "-s")
	unknown = testproc.Program("no-such-command")
)

// A program is built once, and one that cannot be built says why.
func TestPrograms(t *testing.T) {
	t.Parallel()
	path, err := gen()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, "--help").CombinedOutput(); err != nil || !strings.Contains(string(out), "generate") {
		t.Errorf("%v\n%s", err, out)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := gen()
	if err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(again); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was built again: %v", err)
	}
	if _, err := unknown(); err == nil || !strings.Contains(err.Error(), "no-such-command") {
		t.Errorf("a command that is not there: %v", err)
	}
}
