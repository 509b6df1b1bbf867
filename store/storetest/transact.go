package storetest

import (
	"context"

	"github.com/onceberg/onceberg/store"
)

var deciding = []behaviour{
	{"commit keeps the writes and the outcome", commitKeepsBoth},
	{"reject keeps the outcome alone", rejectKeepsOutcome},
	{"abort keeps nothing", abortKeepsNothing},
	{"the mutation sees its own writes", mutationSeesItself},
	{"a mutation without writes is recorded", commitWithoutWrites},
	{"instants of a committed record", instantsOfCommit},
	{"content of a committed record", contentOfCommit},
}

// transactional returns the store under test as what RunTransactional made sure
// it is.
func (s *subject) transactional() store.Transactional {
	return s.Store.(store.Transactional)
}

// adding returns a mutation that writes one row named after the claim's token
// and then decides.
func (s *subject) adding(claim store.Claim, outcome store.Outcome, decision store.Decision) store.Mutation {
	return func(ctx context.Context) (store.Outcome, store.Decision, error) {
		if err := s.Counter.Add(ctx, string(claim.Token)); err != nil {
			return store.Outcome{}, store.Abort, err
		}
		return outcome, decision, nil
	}
}

// transact runs a transaction that must not fail and returns the record that
// won, nil when it was this one.
func (s *subject) transact(claim store.Claim, mutation store.Mutation) *store.Record {
	s.Helper()
	record, err := s.transactional().Transact(s.ctx, claim, mutation)
	if err != nil {
		s.Fatalf("Transact: %v", err)
	}
	return record
}

// stands runs a transaction whose own outcome must stand.
func (s *subject) stands(claim store.Claim, mutation store.Mutation) {
	s.Helper()
	if record := s.transact(claim, mutation); record != nil {
		s.Fatalf("Transact: another record holds the key: %+v", record)
	}
}

// rows expects the backend to have n rows of the claim's mutation.
func (s *subject) rows(claim store.Claim, n int) {
	s.Helper()
	s.rowsNamed(string(claim.Token), n)
}

func (s *subject) rowsNamed(name string, n int) {
	s.Helper()
	got, err := s.Counter.Count(s.ctx, name)
	if err != nil {
		s.Fatalf("Count: %v", err)
	}
	if got != n {
		s.Fatalf("the backend has %d rows, want %d", got, n)
	}
}

func commitKeepsBoth(s *subject) {
	claim := newClaim()
	s.stands(claim, s.adding(claim, success(), store.Commit))
	s.rows(claim, 1)
	s.final(claim, success())
	s.sameFinal(claim, success(), s.duplicate(again(claim)))
}

func rejectKeepsOutcome(s *subject) {
	claim := newClaim()
	s.stands(claim, s.adding(claim, conflict(), store.Reject))
	s.rows(claim, 0)
	s.final(claim, conflict())
}

func abortKeepsNothing(s *subject) {
	claim := newClaim()
	s.stands(claim, s.adding(claim, conflict(), store.Abort))
	s.rows(claim, 0)
	s.absent(claim.Key)
	next := again(claim)
	s.stands(next, s.adding(next, success(), store.Commit))
	s.rows(next, 1)
	s.final(next, success())
}

func mutationSeesItself(s *subject) {
	claim := newClaim()
	add := s.adding(claim, success(), store.Commit)
	s.stands(claim, func(ctx context.Context) (store.Outcome, store.Decision, error) {
		outcome, decision, err := add(ctx)
		if err != nil {
			return outcome, decision, err
		}
		seen, err := s.Counter.Count(ctx, string(claim.Token))
		if seen != 1 {
			s.Errorf("the mutation sees %d of its rows, want 1", seen)
		}
		return outcome, decision, err
	})
	s.rows(claim, 1)
}

func commitWithoutWrites(s *subject) {
	claim := newClaim()
	s.stands(claim, func(context.Context) (store.Outcome, store.Decision, error) {
		return success(), store.Commit, nil
	})
	s.final(claim, success())
}

func instantsOfCommit(s *subject) {
	claim := newClaim()
	claim.Retain = 2 * long
	from, to := s.during(func() { s.stands(claim, s.adding(claim, success(), store.Commit)) })
	record := s.load(claim.Key)
	s.about("CreatedAt", record.CreatedAt, from, to)
	s.about("FinalizedAt", record.FinalizedAt, from, to)
	s.about("ExpiresAt", record.ExpiresAt, from.Add(2*long), to.Add(2*long))
	s.zero("LeaseExpiresAt", record.LeaseExpiresAt)
}

func contentOfCommit(s *subject) {
	for _, body := range [][]byte{nil, everyByte(), randomBytes(16 << 20)} {
		outcome := success()
		outcome.Payload = body
		claim := newClaim()
		s.stands(claim, s.adding(claim, outcome, store.Commit))
		s.final(claim, outcome)
	}
}
