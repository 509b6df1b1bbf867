package storetest

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/store"
)

const (
	// long is a lease or retention that does not run out during a test.
	long = time.Hour
	// short is one that the test means to see run out.
	short = 50 * time.Millisecond
	// patience is how long the suite waits before it calls something stuck.
	patience = time.Minute
)

// subject is the store of one test, with the steps that the behaviours share.
// Its methods end the test when a step goes wrong.
type subject struct {
	Instance
	*testing.T

	ctx context.Context
}

func open(t *testing.T, factory Factory) *subject {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	t.Cleanup(cancel)
	return &subject{Instance: factory(t), T: t, ctx: ctx}
}

// reserve calls Reserve and expects no error.
func (s *subject) reserve(claim store.Claim) store.Reservation {
	s.Helper()
	got, err := s.Store.Reserve(s.ctx, claim)
	if err != nil {
		s.Fatalf("Reserve: %v", err)
	}
	if got.Acquired != (got.Existing == nil) {
		s.Fatalf("Reserve: Acquired %t with Existing %v", got.Acquired, got.Existing)
	}
	if got.TakenOver && !got.Acquired {
		s.Fatal("Reserve: TakenOver without Acquired")
	}
	return got
}

// acquire reserves a key that must be free.
func (s *subject) acquire(claim store.Claim) {
	s.Helper()
	got := s.reserve(claim)
	if !got.Acquired {
		s.Fatalf("Reserve: not acquired, held by %+v", got.Existing)
	}
	if got.TakenOver {
		s.Fatal("Reserve: TakenOver is true for a key that nobody held")
	}
}

// takeOver reserves a key whose lease has run out.
func (s *subject) takeOver(claim store.Claim) {
	s.Helper()
	got := s.reserve(claim)
	if !got.Acquired || !got.TakenOver {
		s.Fatalf("Reserve: Acquired %t, TakenOver %t, want a takeover", got.Acquired, got.TakenOver)
	}
}

// duplicate reserves a key that somebody holds and returns the holder's record.
func (s *subject) duplicate(claim store.Claim) *store.Record {
	s.Helper()
	got := s.reserve(claim)
	if got.Acquired {
		s.Fatalf("Reserve: acquired (taken over: %t) a key that is held", got.TakenOver)
	}
	return got.Existing
}

func (s *subject) finalize(claim store.Claim, outcome store.Outcome) {
	s.Helper()
	if err := s.Store.Finalize(s.ctx, claim.Key, claim.Token, outcome, claim.Retain); err != nil {
		s.Fatalf("Finalize: %v", err)
	}
}

func (s *subject) release(claim store.Claim) {
	s.Helper()
	if err := s.Store.Release(s.ctx, claim.Key, claim.Token); err != nil {
		s.Fatalf("Release: %v", err)
	}
}

func (s *subject) renew(claim store.Claim, lease time.Duration) {
	s.Helper()
	if err := s.Store.Renew(s.ctx, claim.Key, claim.Token, lease); err != nil {
		s.Fatalf("Renew: %v", err)
	}
}

func (s *subject) purge(limit int) int {
	s.Helper()
	n, err := s.Store.PurgeExpired(s.ctx, limit)
	if err != nil {
		s.Fatalf("PurgeExpired: %v", err)
	}
	return n
}

func (s *subject) load(key string) *store.Record {
	s.Helper()
	record, err := s.Store.Load(s.ctx, key)
	if err != nil {
		s.Fatalf("Load: %v", err)
	}
	return record
}

// absent expects Load to find nothing.
func (s *subject) absent(key string) {
	s.Helper()
	if record, err := s.Store.Load(s.ctx, key); !errors.Is(err, store.ErrNotFound) {
		s.Fatalf("Load: record %+v, error %v, want %v", record, err, store.ErrNotFound)
	}
}

// reserved expects the key to be held by the claim, without an outcome.
func (s *subject) reserved(claim store.Claim) {
	s.Helper()
	s.sameReservation(claim, s.load(claim.Key))
}

func (s *subject) sameReservation(claim store.Claim, record *store.Record) {
	s.Helper()
	if record.Final() {
		s.Fatalf("the record is final with status %d, want a reservation", record.Outcome.Status)
	}
	s.sameClaim(claim, record)
}

// final expects the key to hold the outcome, put there by the claim.
func (s *subject) final(claim store.Claim, outcome store.Outcome) {
	s.Helper()
	s.sameFinal(claim, outcome, s.load(claim.Key))
}

func (s *subject) sameFinal(claim store.Claim, outcome store.Outcome, record *store.Record) {
	s.Helper()
	if !record.Final() {
		s.Fatal("the record is a reservation, want a final record")
	}
	s.sameClaim(claim, record)
	if diff := cmp.Diff(withoutPayload(outcome), withoutPayload(*record.Outcome)); diff != "" {
		s.Fatalf("outcome (-want +got):\n%s", diff)
	}
	// Compared apart: a diff of megabytes takes minutes and helps nobody.
	if !bytes.Equal(outcome.Payload, record.Outcome.Payload) {
		s.Fatalf("payload: got %d bytes that are not the %d put in", len(record.Outcome.Payload), len(outcome.Payload))
	}
}

func (s *subject) sameClaim(claim store.Claim, record *store.Record) {
	s.Helper()
	want := store.Claim{Key: claim.Key, Token: claim.Token, Binding: claim.Binding, Audit: claim.Audit}
	got := store.Claim{Key: record.Key, Token: record.Token, Binding: record.Binding, Audit: record.Audit}
	if got != want {
		s.Fatalf("record (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// wantErr expects an error that matches target.
func (s *subject) wantErr(call string, err, target error) {
	s.Helper()
	if !errors.Is(err, target) {
		s.Fatalf("%s: error %v, want %v", call, err, target)
	}
}

// pass lets d go by on the store's clock. Where the clock cannot be moved, a
// witness is reserved for d and polled until the store says that it has lapsed;
// what was given d before has then lapsed as well.
func (s *subject) pass(d time.Duration) {
	s.Helper()
	d += s.ClockPrecision
	if s.Advance != nil {
		s.Advance(d)
		return
	}
	witness := newClaim()
	witness.Lease = d
	s.acquire(witness)
	s.eventually("the store's clock to move", func() bool {
		next := again(witness)
		if !s.reserve(next).TakenOver {
			return false
		}
		s.release(next)
		return true
	})
}

// eventually polls until the condition holds.
func (s *subject) eventually(what string, condition func() bool) {
	s.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for !condition() {
		select {
		case <-deadline.C:
			s.Fatalf("gave up waiting for %s", what)
		case <-poll.C:
		}
	}
}

// handles returns one handle, or two where the store can be reopened.
func (s *subject) handles() []store.Store {
	s.Helper()
	if s.Reopen == nil {
		return []store.Store{s.Store}
	}
	return []store.Store{s.Store, s.Reopen(s)}
}

// together runs n copies of f at once and returns when all have ended. f must
// not call methods that end the test.
func together(n int, f func(i int)) {
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	all.Wait()
}
