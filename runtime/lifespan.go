package runtime

import (
	"context"
	"sync/atomic"
	"time"
)

// lifespan is a context with the values of a request and an end of its own. It
// does what context.WithDeadline on context.WithoutCancel would, but costs a
// timer only once somebody waits for its end: most keyed requests are over
// before anybody does.
type lifespan struct {
	request  context.Context // for its values alone
	ex       *exchange
	deadline time.Time
	over     atomic.Bool
	armed    atomic.Pointer[armedContext]
}

type armedContext struct {
	context.Context
	cancel context.CancelFunc
}

func (l *lifespan) begin(request context.Context, ex *exchange, deadline time.Time) {
	l.request, l.ex, l.deadline = request, ex, deadline
}

// end releases what waiting for the context may have taken. Whoever kept the
// context finds it cancelled.
func (l *lifespan) end() {
	l.over.Store(true)
	if a := l.armed.Load(); a != nil {
		a.cancel()
	}
}

// Deadline implements context.Context.
func (l *lifespan) Deadline() (time.Time, bool) { return l.deadline, true }

// Done implements context.Context and arms the timer.
func (l *lifespan) Done() <-chan struct{} {
	if a := l.armed.Load(); a != nil {
		return a.Done()
	}
	ctx, cancel := context.WithDeadline(context.WithoutCancel(l.request), l.deadline)
	if !l.armed.CompareAndSwap(nil, &armedContext{ctx, cancel}) {
		cancel()
	}
	a := l.armed.Load()
	if l.over.Load() {
		a.cancel()
	}
	return a.Done()
}

// Err implements context.Context.
func (l *lifespan) Err() error {
	switch a := l.armed.Load(); {
	case a != nil:
		return a.Err()
	case l.over.Load():
		return context.Canceled
	case time.Until(l.deadline) <= 0: // half the cost of time.Now
		return context.DeadlineExceeded
	}
	return nil
}

// Value implements context.Context. Once armed it asks the armed context, by
// which package context recognises one of its own and links children to it
// without a goroutine. Before, it must not pass the request's context for its
// own. The exchange is asked for on every request and so has a way of its own.
func (l *lifespan) Value(key any) any {
	if key == (exchangeKey{}) {
		return l.ex
	}
	if a := l.armed.Load(); a != nil {
		return a.Value(key)
	}
	return context.WithoutCancel(l.request).Value(key)
}
