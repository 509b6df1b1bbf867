package client

import (
	"context"
	"fmt"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// sending is the time that one attempt has, and whether it got anywhere.
type sending struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	// connected is true once there was a connection to send on. net/http resends
	// a keyed request by itself when a connection that it reuses breaks, and may
	// then fail to dial; so that a failed dial alone proves nothing.
	connected atomic.Bool
}

func newSending(ctx context.Context, timeout time.Duration) *sending {
	s := &sending{}
	s.ctx, s.cancel = context.WithCancelCause(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { s.connected.Store(true) },
	}))
	s.timer = time.AfterFunc(timeout, func() { s.cancel(timeoutError{timeout}) })
	return s
}

func (s *sending) end() {
	s.timer.Stop()
	s.cancel(nil)
}

// timeoutError ends an attempt whose answer does not come.
type timeoutError struct{ after time.Duration }

func (e timeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.after) }

// Timeout makes it a timeout in net/http's eyes.
func (e timeoutError) Timeout() bool { return true }
