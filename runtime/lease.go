package runtime

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/onceberg/onceberg/store"
)

// lease is the hold that a running execution has on its key.
type lease struct {
	key        string
	token      store.Token
	since      time.Time // when it was granted or renewed last
	held       bool      // known to the execution alone
	lost       bool
	next, prev *lease

	// Of the renewal under way, if one is.
	cancel context.CancelFunc
	ended  chan struct{}
}

// leases renews the leases of everything that runs, for as long as it runs. One
// timer serves them all: most executions are over before it fires, and neither
// start a goroutine nor touch a timer.
type leases struct {
	g      *Guard
	period time.Duration

	mu      sync.Mutex
	running *lease
	timer   *time.Timer
	armed   bool
}

// hold starts renewing a lease that was granted at l.since. It is renewed when it is between one period and
// two old, which is a third of its duration at most.
func (ls *leases) hold(l *lease) {
	l.held = true
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if l.next = ls.running; l.next != nil {
		l.next.prev = l
	}
	ls.running = l
	switch {
	case ls.armed:
	case ls.timer == nil:
		ls.timer = time.AfterFunc(ls.period, ls.sweep)
	default:
		ls.timer.Reset(ls.period)
	}
	ls.armed = true
}

// release stops renewing a lease and reports whether it was lost meanwhile. No
// renewal is under way any more when it returns, so that none can come after
// what the caller does to the reservation next. Releasing again is harmless.
func (ls *leases) release(l *lease) (lost bool) {
	if !l.held {
		return l.lost
	}
	l.held = false
	ls.mu.Lock()
	if l.prev != nil {
		l.prev.next = l.next
	} else {
		ls.running = l.next
	}
	if l.next != nil {
		l.next.prev = l.prev
	}
	cancel, ended := l.cancel, l.ended
	ls.mu.Unlock()
	if cancel != nil {
		cancel()
		<-ended
	}
	return l.lost
}

// sweep renews what is due.
func (ls *leases) sweep() {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.running == nil {
		ls.armed = false
		return
	}
	for l := ls.running; l != nil; l = l.next {
		if l.cancel == nil && !l.lost && time.Since(l.since) >= ls.period {
			ls.renew(l)
		}
	}
	ls.timer.Reset(ls.period)
}

// renew starts the renewal of a lease. The execution that holds it counts as a
// running task and waits for it in release.
func (ls *leases) renew(l *lease) {
	ctx, cancel := context.WithTimeout(ls.g.life, min(storeTimeout, ls.period))
	l.cancel, l.ended = cancel, make(chan struct{})
	go func() {
		defer close(l.ended)
		defer cancel()
		began := time.Now()
		err := ls.g.store.Renew(ctx, l.key, l.token, ls.g.cfg.Lease)
		if err != nil && ctx.Err() == nil {
			ls.g.cfg.Logger.Warn("lease not renewed", keyAttr(l.key), slog.Any("cause", err))
		}
		ls.mu.Lock()
		defer ls.mu.Unlock()
		l.cancel = nil
		l.lost = errors.Is(err, store.ErrLeaseLost)
		if err == nil {
			l.since = began
		}
	}()
}

func (ls *leases) stop() {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.timer != nil {
		ls.timer.Stop()
	}
}
