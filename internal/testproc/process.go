//go:build unix

package testproc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// Process is a running program. Its output and its end are seen by one
// goroutine, which ends with it.
type Process struct {
	cmd  *exec.Cmd
	log  *Log
	done chan struct{}
	end  error // known when done is closed
}

// Start starts a program. What it writes to standard error goes to log; hear
// gets the lines of its standard output, one after the other. The program's
// environment, arguments and standard input are the caller's.
func Start(cmd *exec.Cmd, log *Log, hear func(line string)) (*Process, error) {
	p := &Process{cmd: cmd, log: log, done: make(chan struct{})}
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	dieWithParent(cmd.SysProcAttr)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go p.watch(out, hear)
	return p, nil
}

// watch reads what the program says until its end.
func (p *Process) watch(out io.Reader, hear func(line string)) {
	defer close(p.done)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		hear(lines.Text())
	}
	if err := p.cmd.Wait(); !killed(err) {
		p.end = fmt.Errorf("the program ended by itself: %w", errors.Join(err, errors.New(p.log.String())))
	}
}

// killed reports whether a program ended by kill -9.
func killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// Done returns a channel that is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// End says why the program ended, with its log; nil when it was killed. It is
// known once Done is closed.
func (p *Process) End() error { return p.end }

// Kill ends the program as kill -9 does, frozen or not, and waits for its end. The
// error is the program's, if it had ended by itself.
func (p *Process) Kill() error {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.done
	return p.end
}

// Signal tells the program; one that has ended already is fine.
func (p *Process) Signal(sig syscall.Signal) error {
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
