package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/onceberg/onceberg/internal/testproc"
)

// process is one life of a node.
type process struct {
	*testproc.Process
	in    io.WriteCloser
	log   *testproc.Log
	ready chan struct{} // closed once addr is known
	addr  string

	mu      sync.Mutex
	reached map[string]chan struct{} // by point and key
}

// launch starts this test binary as a node. What it logs goes to log.
func launch(config nodeConfig, log *testproc.Log) (*process, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), nodeVariable+"="+string(text), "GORACE=halt_on_error=1")
	p := &process{log: log, ready: make(chan struct{}), reached: map[string]chan struct{}{}}
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	p.Process, err = testproc.Start(cmd, log, p.hear)
	return p, err
}

// hear takes what the node says.
func (p *process) hear(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case saysListening:
		p.addr = rest
		close(p.ready)
	case saysReached:
		close(p.at(rest))
	}
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
	case <-p.Done():
		return errors.Join(errors.New("the node did not come up"), p.End())
	case <-ctx.Done():
		return fmt.Errorf("the node does not come up: %w\n%s", ctx.Err(), p.log)
	}
}
