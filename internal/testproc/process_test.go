//go:build unix

package testproc_test

import (
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testproc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testproc.Main(m)) }

// A kill is told from an end that nobody asked for, and what a program said until
// then is there.
func TestEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		script string
		kill   bool
		want   string // in the error; empty for none
	}{
		"killed":   {"echo here; exec sleep 60", true, ""},
		"failed":   {"echo here; echo trouble >&2; exit 3", false, "trouble"},
		"finished": {"echo here", false, "ended by itself"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			heard := make(chan string, 1)
			var log testproc.Log
			p, err := testproc.Start(exec.Command("sh", "-c", test.script), &log, func(line string) { heard <- line })
			if err != nil {
				t.Fatal(err)
			}
			if line := <-heard; line != "here" {
				t.Errorf("heard %q", line)
			}
			if test.kill {
				err = p.Kill()
			} else {
				<-p.Done()
				err = p.End()
			}
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("the end: %v; want %q", err, test.want)
			}
			if again := p.Kill(); (again == nil) != (err == nil) {
				t.Errorf("killed again: %v", again)
			}
			if p.Signal(9) != nil {
				t.Error("a signal to a program that has ended fails")
			}
			if text := log.Take(); strings.Contains(test.script, "trouble") != (text == "trouble\n") || log.String() != "" {
				t.Errorf("the log: %q, then %q", text, log.String())
			}
		})
	}
}
