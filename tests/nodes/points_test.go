package nodes

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/generated"
)

// point is a place on a request's way through a node.
type point string

const (
	// beforeWrite: the handler has begun, and written nothing.
	beforeWrite point = "before-write"
	// beforeCommit: the backend's transaction holds all its writes.
	beforeCommit point = "before-commit"
	// afterWrite: the handler is about to return. In the two-phase forms its
	// writes are committed, and the record is not final yet. In the
	// transactional form nothing is committed.
	afterWrite point = "after-write"
	// beforeAnswer: the record is durable, and the client has seen nothing.
	beforeAnswer point = "before-answer"
)

var allPoints = []point{beforeWrite, beforeCommit, afterWrite, beforeAnswer}

// Headers by which one request, and not its retries, says what shall become of
// it, and where. They are no part of what a key is bound to.
const (
	stopHeader = "Test-Stop-At" // wait there until the test resumes the key
	dieHeader  = "Test-Die-At"  // kill -9 this node
)

// points stops requests where they ask for it.
type points struct {
	mu      sync.Mutex
	out     io.Writer
	stopped map[string]chan struct{}
}

// order is what one request asks for. It is carried out once: a transaction may
// run its handler again.
type order struct {
	key  string
	at   point
	die  bool
	done atomic.Bool
}

type orderKey struct{}

// middleware reads a request's order, and makes its answer pass a point too.
func (p *points) middleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		o := &order{
			key: strings.ToLower(r.Header.Get(generated.KeyHeader)),
			at:  point(r.Header.Get(stopHeader)),
		}
		if at := r.Header.Get(dieHeader); at != "" {
			o.at, o.die = point(at), true
		}
		ctx := context.WithValue(r.Context(), orderKey{}, o)
		c.SetRequest(r.WithContext(ctx))
		c.Response().Writer = &answerWriter{c.Response().Writer, func() { p.pass(ctx, beforeAnswer) }}
		return next(c)
	}
}

// pass does nothing unless the request in ctx asked for this point.
func (p *points) pass(ctx context.Context, at point) {
	o, _ := ctx.Value(orderKey{}).(*order)
	if o == nil || o.at != at || o.done.Swap(true) {
		return
	}
	if o.die {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	resumed := make(chan struct{})
	p.mu.Lock()
	if p.stopped == nil {
		p.stopped = map[string]chan struct{}{}
	}
	p.stopped[o.key] = resumed
	p.mu.Unlock()
	p.say(saysReached, string(at), o.key)
	<-resumed
}

func (p *points) resume(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if resumed, ok := p.stopped[key]; ok {
		delete(p.stopped, key)
		close(resumed)
	}
}

// listen obeys what the test writes, until the test is gone.
func (p *points) listen(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if key, ok := strings.CutPrefix(lines.Text(), hearsResume+" "); ok {
			p.resume(key)
		}
	}
}

// say writes a line to the test.
func (p *points) say(words ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.out, strings.Join(words, " ")+"\n")
}

// keyOf returns the key that a request came with, guarded or not.
func keyOf(ctx context.Context) string {
	if o, _ := ctx.Value(orderKey{}).(*order); o != nil {
		return o.key
	}
	return ""
}

// answerWriter calls before when the answer begins.
type answerWriter struct {
	http.ResponseWriter
	before func()
}

// WriteHeader implements http.ResponseWriter.
func (w *answerWriter) WriteHeader(status int) {
	w.before()
	w.ResponseWriter.WriteHeader(status)
}
