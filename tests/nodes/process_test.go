package nodes

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
)

// process is one life of a node. Its output and its end are seen by one
// goroutine, which ends with it.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	log   *logBuffer
	ready chan struct{} // closed once addr is known
	addr  string
	done  chan struct{} // closed when it has ended
	end   error         // why it ended, unless it was killed; known when done is closed

	mu      sync.Mutex
	reached map[string]chan struct{} // by point and key
}

// launch starts this test binary as a node. What it logs goes to log.
func launch(config nodeConfig, log *logBuffer) (*process, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{
		cmd: exec.Command(self), log: log,
		ready: make(chan struct{}), done: make(chan struct{}), reached: map[string]chan struct{}{},
	}
	p.cmd.Env = append(os.Environ(), nodeVariable+"="+string(text), "GORACE=halt_on_error=1")
	p.cmd.Stderr = log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{}
	dieWithParent(p.cmd.SysProcAttr)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.watch(out)
	return p, nil
}

// watch reads what the node says until its end.
func (p *process) watch(out io.Reader) {
	defer close(p.done)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case saysListening:
			p.addr = rest
			close(p.ready)
		case saysReached:
			close(p.at(rest))
		}
	}
	if err := p.cmd.Wait(); !killed(err) {
		p.end = fmt.Errorf("the node ended by itself: %w", errors.Join(err, errors.New(p.log.String())))
	}
}

// killed reports whether a process ended by kill -9. Every node does.
func killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// at returns a channel that is closed when a request has stopped there.
func (p *process) at(place string) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reached[place] == nil {
		p.reached[place] = make(chan struct{})
	}
	return p.reached[place]
}

// started waits until the node listens.
func (p *process) started(ctx context.Context) error {
	select {
	case <-p.ready:
		return nil
	case <-p.done:
		return errors.Join(errors.New("the node did not come up"), p.end)
	case <-ctx.Done():
		return fmt.Errorf("the node does not come up: %w\n%s", ctx.Err(), p.log)
	}
}

// kill ends the node as kill -9 does, frozen or not, and waits for its end.
func (p *process) kill() error {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.done
	return p.end
}

// signal tells a node; one that is dead already is fine.
func (p *process) signal(sig syscall.Signal) error {
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// logBuffer takes a node's log.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// take returns the log so far, and forgets it.
func (b *logBuffer) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.text.Reset()
	return b.text.String()
}
