package client

import (
	"context"
	"fmt"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// sending is the time that one attempt has, and how far it got. Behind one attempt
// may be several: net/http resends a keyed request by itself when a connection
// that it reuses breaks, and tells of the last one alone.
type sending struct {
	ctx       context.Context
	cancel    context.CancelCauseFunc
	timer     *time.Timer
	connected atomic.Bool  // there was a connection to send on
	written   atomic.Int32 // how often it was sent
}

func newSending(ctx context.Context, timeout time.Duration) *sending {
	s := &sending{}
	s.ctx, s.cancel = context.WithCancelCause(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { s.connected.Store(true) },
		WroteHeaders: func() { s.written.Add(1) },
	}))
	s.timer = time.AfterFunc(timeout, func() { s.cancel(timeoutError{timeout}) })
	return s
}

// resent reports whether a sending before the last one may have been applied.
func (s *sending) resent() bool { return s.written.Load() > 1 }

func (s *sending) end() {
	s.timer.Stop()
	s.cancel(nil)
}

// timeoutError ends an attempt whose answer does not come.
type timeoutError struct{ after time.Duration }

func (e timeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.after) }

// Timeout makes it a timeout in net/http's eyes.
func (e timeoutError) Timeout() bool { return true }
