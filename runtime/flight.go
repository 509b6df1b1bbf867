package runtime

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/onceberg/onceberg/store"
)

// flight is what the requests with one key in this process share: one of them
// leads and deals with the store, the others wait for it to land.
type flight struct {
	binding *store.Binding
	// bound is true once the leader holds the key, so that a request with
	// another binding certainly came second.
	bound atomic.Bool
	// over is true at the end, for those who lead it.
	over bool
	// landed is closed at the end. The first who waits makes it.
	landed chan struct{}
	// outcome is what the key's final record holds, nil when the leader left
	// without one. It is set before landed is closed.
	outcome *store.Outcome
	// poll is when to ask the store next about an attempt on another node. It
	// is handed on with the lead, so that a change of leader asks no earlier.
	poll poll
}

// flights holds the flight of each key that this process is dealing with.
type flights struct {
	mu    sync.Mutex
	byKey map[string]*flight
}

// join makes f the flight of the key and returns nil, or returns the one that
// is under way.
func (fs *flights) join(key string, f *flight) (leader *flight) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	leader, ok := fs.byKey[key]
	if !ok {
		fs.byKey[key] = f
		return nil
	}
	if leader.landed == nil {
		leader.landed = make(chan struct{})
	}
	return leader
}

// land ends a flight and tells those who wait. A flight that is not under way,
// or not any more, is left alone.
func (fs *flights) land(key string, f *flight, outcome *store.Outcome) {
	if f.over {
		return
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.byKey[key] != f {
		return
	}
	delete(fs.byKey, key)
	f.over = true
	f.outcome = outcome
	if f.landed != nil {
		close(f.landed)
	}
}

// poll spaces the questions about an attempt on another node.
type poll struct {
	delay time.Duration
	due   time.Time
}

const (
	firstPoll = 25 * time.Millisecond
	lastPoll  = 250 * time.Millisecond
)

// again sets when to ask next: later each time, up to a bound.
func (p *poll) again() {
	p.delay = min(max(2*p.delay, firstPoll), lastPoll)
	p.due = time.Now().Add(jitter(p.delay))
}
