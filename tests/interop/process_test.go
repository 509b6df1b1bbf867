//go:build interop

package interop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"
)

const (
	startTimeout = 2 * time.Minute
	stopTimeout  = 30 * time.Second
	pollEvery    = 50 * time.Millisecond
)

// process is a server program that runs until the test ends.
type process struct {
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when it has ended
}

// launch starts a program whose output goes to a log in dir. What it gets of our
// environment names nothing of the tests'.
func launch(t *testing.T, dir, name string, env []string, program string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(program, args...), log: filepath.Join(dir, name+".log"), done: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + t.TempDir(),
		"LC_ALL=C.UTF-8",
	}, env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(p.cmd.SysProcAttr)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // the exit status of a server that was told to end says nothing
	}()
	t.Cleanup(func() { p.stop(t) })
	return p
}

// stop ends the process: politely, and then not.
func (p *process) stop(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		select {
		case <-p.done:
			return
		case <-time.After(stopTimeout):
			t.Errorf("%s did not end on %v", p.cmd.Path, signal)
		}
	}
}

// until waits until the condition holds, and fails the test if the process ends
// before that.
func (p *process) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(startTimeout)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for !holds() {
		select {
		case <-p.done:
			text, _ := os.ReadFile(p.log)
			t.Fatalf("%s ended before it %s:\n%s", p.cmd.Path, what, text)
		case <-deadline:
			t.Fatalf("%s never %s; its log is %s", p.cmd.Path, what, p.log)
		case <-tick.C:
		}
	}
}

// await waits for a line in the log and returns what the pattern's group matched.
func (p *process) await(t *testing.T, pattern *regexp.Regexp) string {
	t.Helper()
	var found string
	p.until(t, "wrote "+pattern.String(), func() bool {
		text, err := os.ReadFile(p.log)
		if err != nil {
			return false
		}
		m := pattern.FindSubmatch(text)
		if m != nil {
			found = string(m[1])
		}
		return m != nil
	})
	return found
}

// command prepares a program that ends by itself, or with its whole process group
// when ctx does.
func command(ctx context.Context, folder, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = stopTimeout
	return cmd
}

// finish runs a command to its end with its output in a file, and returns an
// error with the end of that output when it fails.
func finish(cmd *exec.Cmd, output string) error {
	file, err := os.Create(output)
	if err != nil {
		return err
	}
	defer file.Close()
	cmd.Stdout = file
	if cmd.Stderr == nil {
		cmd.Stderr = file
	}
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(output)
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, text[max(0, len(text)-2000):])
	}
	return nil
}
