package chaos

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testproc"
)

// node is a server process that is killed and started again, on another port then.
type node struct {
	t      *testing.T
	name   string
	binary string
	args   []string
	clock  string
	log    testproc.Log

	mu   sync.Mutex
	life *life
}

// life is one process of a node.
type life struct {
	*testproc.Process
	ready chan struct{} // closed once url is known
	url   string
}

// start brings the node up; it tries on while the database is away.
func (n *node) start(ctx context.Context) {
	for ctx.Err() == nil {
		l, err := n.launch()
		if err != nil {
			n.t.Errorf("node %s: %v", n.name, err)
			return
		}
		select {
		case <-l.ready:
			n.mu.Lock()
			n.life = l
			n.mu.Unlock()
			return
		case <-l.Done():
			pause(ctx, 100*time.Millisecond)
		case <-ctx.Done():
			_ = l.Kill()
		}
	}
}

func (n *node) launch() (*life, error) {
	cmd := exec.Command(n.binary, n.args...)
	cmd.Env = append(os.Environ(), "ONCEBERG_CHAOS_CLOCK="+n.clock)
	l := &life{ready: make(chan struct{})}
	var err error
	l.Process, err = testproc.Start(cmd, &n.log, func(line string) {
		if _, url, ok := strings.Cut(line, "listening on "); ok {
			l.url = strings.TrimSpace(url)
			close(l.ready)
		}
	})
	return l, err
}

// address is where the node listens, empty when it is known to be down.
func (n *node) address() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.life == nil {
		return ""
	}
	return n.life.url
}

// kill ends the node as kill -9 does. It is no answer to the question why, if it
// had ended by itself before.
func (n *node) kill() {
	n.mu.Lock()
	l := n.life
	n.life = nil
	n.mu.Unlock()
	if l == nil {
		return
	}
	if err := l.Kill(); err != nil {
		text := err.Error()
		n.t.Errorf("node %s: …%s", n.name, text[max(0, len(text)-4000):])
	}
}
