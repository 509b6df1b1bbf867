package storetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/onceberg/onceberg/store"
)

var outages = []behaviour{
	{"every call fails, and not with a sentinel", failDuringOutage},
	{"records survive", surviveOutage},
	{"a context that ends during an outage ends the call", cancelDuringOutage},
	{"closing during an outage does not hang", closeDuringOutage},
}

var sentinels = []error{
	store.ErrNotFound, store.ErrLeaseLost, store.ErrFull,
	store.ErrCorrupt, store.ErrUnknownOutcome, store.ErrClosed,
}

// outage takes the database away until the returned function is called or the
// test has ended, however it does.
func (s *subject) outage() (restore func()) {
	s.Helper()
	restore = sync.OnceFunc(s.Outage())
	s.Cleanup(restore)
	return restore
}

// failDuringOutage keeps callers from taking a lost connection for an answer: an
// ErrNotFound would let them execute again, an ErrLeaseLost give up a key.
func failDuringOutage(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	restore := s.outage()
	for _, c := range calls(claim) {
		s.unreachable(c)
	}
	restore()
	s.usableAgain()
}

func (s *subject) unreachable(c call) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, 10*time.Second)
	defer cancel()
	err := c.run(ctx, s.Store)
	if err == nil {
		s.Fatalf("%s succeeded during an outage", c.name)
	}
	for _, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			s.Errorf("%s: error %v matches %v", c.name, err, sentinel)
		}
	}
}

func surviveOutage(s *subject) {
	done, running := newClaim(), newClaim()
	s.acquire(done)
	s.finalize(done, success())
	s.acquire(running)
	restore := s.outage()
	s.unreachable(calls(running)[0])
	restore()
	s.usableAgain()
	s.final(done, success())
	s.reserved(running)
	s.finalize(running, conflict())
	s.final(running, conflict())
}

func cancelDuringOutage(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.outage()
	for _, c := range calls(claim) {
		ctx, cancel := context.WithTimeout(s.ctx, time.Second)
		err := c.run(ctx, s.Store)
		if err == nil {
			s.Errorf("%s succeeded during an outage", c.name)
		}
		// Whether the connection is refused first or the time runs out is the
		// outage's affair; what the error says must be true.
		if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
			s.Errorf("%s: error %v, want %v", c.name, err, ctx.Err())
		}
		cancel()
	}
}

func closeDuringOutage(s *subject) {
	s.outage()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.Store.Close() // whether it can say goodbye does not matter
	}()
	select {
	case <-closed:
	case <-time.After(patience):
		s.Fatal("Close hangs during an outage")
	}
	_, err := s.Store.Load(s.ctx, newClaim().Key)
	s.wantErr("Load", err, store.ErrClosed)
}
