package storetest

import (
	"context"
	"errors"

	"github.com/onceberg/onceberg/store"
)

var failing = []behaviour{
	{"the mutation's error comes back as it is", mutationError},
	{"an error wins over the decision", errorOverDecision},
	{"a panic passes through and leaves nothing", mutationPanic},
	{"a context cancelled before leaves nothing", cancelledBeforeTransact},
	{"a context cancelled in the middle leaves nothing", cancelledMidTransact},
	{"a closed store refuses", closedTransact},
}

// errBackend is an error that no store knows.
var errBackend = errors.New("the backend's own error")

func mutationError(s *subject) {
	claim := newClaim()
	s.failsWith(claim, store.Abort)
	s.usableForTransact()
}

// errorOverDecision makes sure that an error rolls back even next to a Commit.
func errorOverDecision(s *subject) {
	for _, decision := range []store.Decision{store.Commit, store.Reject} {
		s.failsWith(newClaim(), decision)
	}
}

func (s *subject) failsWith(claim store.Claim, decision store.Decision) {
	s.Helper()
	add := s.adding(claim, success(), decision)
	record, err := s.transactional().Transact(s.ctx, claim,
		func(ctx context.Context) (store.Outcome, store.Decision, error) {
			outcome, decision, err := add(ctx)
			if err != nil {
				s.Errorf("Add: %v", err)
			}
			return outcome, decision, errBackend
		})
	if err != errBackend { //nolint:errorlint // as it is, not wrapped
		s.Fatalf("Transact: error %v, want the mutation's own", err)
	}
	if record != nil {
		s.Fatalf("Transact: record %+v next to an error", record)
	}
	s.left(claim)
}

// left expects a transaction to have left nothing behind.
func (s *subject) left(claim store.Claim) {
	s.Helper()
	s.rows(claim, 0)
	s.absent(claim.Key)
}

// usableForTransact makes sure that no transaction was left open: where there is
// one writer at a time, the next would wait for it forever.
func (s *subject) usableForTransact() {
	s.Helper()
	claim := newClaim()
	s.stands(claim, s.adding(claim, success(), store.Commit))
	s.rows(claim, 1)
}

func mutationPanic(s *subject) {
	claim := newClaim()
	add := s.adding(claim, success(), store.Commit)
	recovered := func() (r any) {
		defer func() { r = recover() }()
		_, err := s.transactional().Transact(s.ctx, claim,
			func(ctx context.Context) (store.Outcome, store.Decision, error) {
				if _, _, err := add(ctx); err != nil {
					s.Errorf("Add: %v", err)
				}
				panic(errBackend)
			})
		s.Errorf("Transact: returned %v, want the mutation's panic", err)
		return nil
	}()
	if recovered != errBackend { //nolint:errorlint // a panic's value, which nobody wraps
		s.Fatalf("Transact: panic %v, want the mutation's own", recovered)
	}
	s.left(claim)
	s.usableForTransact()
}

func cancelledBeforeTransact(s *subject) {
	claim := newClaim()
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	_, err := s.transactional().Transact(ctx, claim, s.adding(claim, success(), store.Commit))
	s.wantErr("Transact", err, context.Canceled)
	s.left(claim)
}

// cancelledMidTransact stands for a crash: the context ends after the mutation
// wrote and before the store commits. The transaction is gone as if it had never
// been sent, and the retry executes.
func cancelledMidTransact(s *subject) {
	for _, decision := range []store.Decision{store.Commit, store.Reject} {
		claim := newClaim()
		ctx, cancel := context.WithCancel(s.ctx)
		add := s.adding(claim, success(), decision)
		record, err := s.transactional().Transact(ctx, claim,
			func(ctx context.Context) (store.Outcome, store.Decision, error) {
				defer cancel()
				return add(ctx)
			})
		s.wantErr("Transact", err, context.Canceled)
		if record != nil {
			s.Fatalf("Transact: record %+v next to an error", record)
		}
		s.left(claim)
		retry := again(claim)
		s.stands(retry, s.adding(retry, success(), store.Commit))
		s.rows(retry, 1)
		s.final(retry, success())
	}
}

func closedTransact(s *subject) {
	s.close()
	claim := newClaim()
	_, err := s.transactional().Transact(s.ctx, claim,
		func(context.Context) (store.Outcome, store.Decision, error) {
			s.Error("a closed store ran the mutation")
			return store.Outcome{}, store.Abort, nil
		})
	s.wantErr("Transact", err, store.ErrClosed)
}
