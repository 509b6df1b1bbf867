package storetest

import (
	"context"
	"sync"
	"time"
)

var cancelling = []behaviour{
	{"a cancelled context changes nothing", cancelledBefore},
	{"a passed deadline changes nothing", expiredBefore},
}

func cancelledBefore(s *subject) {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	s.doneBefore(ctx)
}

func expiredBefore(s *subject) {
	ctx, cancel := context.WithDeadline(s.ctx, time.Now().Add(-time.Second))
	defer cancel()
	s.doneBefore(ctx)
}

func (s *subject) doneBefore(ctx context.Context) {
	s.Helper()
	claim := newClaim()
	s.acquire(claim)
	for _, c := range calls(claim) {
		s.wantErr(c.name, c.run(ctx, s.Store), ctx.Err())
	}
	s.reserved(claim)
	free := newClaim()
	_, err := s.Store.Reserve(ctx, free)
	s.wantErr("Reserve", err, ctx.Err())
	s.absent(free.Key)
}

// stalls need a database that keeps the caller waiting.
var stalls = []behaviour{
	{"a deadline ends a call in the middle", deadlineMidCall},
	{"cancelling ends a call in the middle", cancelMidCall},
	{"a call that waited goes through afterwards", waitOutStall},
}

// stall holds the database up until the returned function is called or the test
// has ended, however it does.
func (s *subject) stall() (resume func()) {
	s.Helper()
	resume = sync.OnceFunc(s.Stall())
	s.Cleanup(resume)
	return resume
}

// deadlineMidCall is case D6 as far as a store is concerned: the caller's
// deadline ends the call, and afterwards the store works as before.
func deadlineMidCall(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	resume := s.stall()
	for _, c := range writes(claim) {
		ctx, cancel := context.WithTimeout(s.ctx, 300*time.Millisecond)
		s.endsWith(ctx, c)
		cancel()
	}
	resume()
	s.usableAgain()
}

func cancelMidCall(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	resume := s.stall()
	for _, c := range writes(claim) {
		ctx, cancel := context.WithCancel(s.ctx)
		timer := time.AfterFunc(300*time.Millisecond, cancel)
		s.endsWith(ctx, c)
		timer.Stop()
		cancel()
	}
	resume()
	s.usableAgain()
}

// endsWith runs a call that cannot succeed and expects the context's error,
// promptly.
func (s *subject) endsWith(ctx context.Context, c call) {
	s.Helper()
	const prompt = 20 * time.Second // of a busy machine, and before a driver gives up by itself
	start := time.Now()
	err := c.run(ctx, s.Store)
	if ctx.Err() == nil {
		s.Fatalf("%s returned %v although the database was stalled", c.name, err)
	}
	s.wantErr(c.name, err, ctx.Err())
	if took := time.Since(start); took > prompt {
		s.Errorf("%s returned %v after its context was done", c.name, took)
	}
}

func waitOutStall(s *subject) {
	claim := newClaim()
	resume := s.stall()
	result := make(chan error, 1)
	go func() {
		_, err := s.Store.Reserve(s.ctx, claim)
		result <- err
	}()
	select {
	case err := <-result:
		resume()
		s.Fatalf("Reserve returned %v although the database was stalled", err)
	case <-time.After(100 * time.Millisecond):
	}
	resume()
	if err := <-result; err != nil {
		s.Fatalf("Reserve: %v", err)
	}
	s.reserved(claim)
}

// usableAgain expects the store to recover by itself and execute a fresh key.
func (s *subject) usableAgain() {
	s.Helper()
	var lastErr error
	defer func() {
		if s.Failed() {
			s.Logf("the last error was: %v", lastErr)
		}
	}()
	s.eventually("the store to work again", func() bool {
		claim := newClaim()
		got, err := s.Store.Reserve(s.ctx, claim)
		if err != nil {
			lastErr = err
			return false
		}
		if !got.Acquired {
			s.Fatal("Reserve: a fresh key is held")
		}
		lastErr = s.Store.Finalize(s.ctx, claim.Key, claim.Token, success(), long)
		return lastErr == nil
	})
}
