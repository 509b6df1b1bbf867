package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/onceberg/onceberg/internal/sqlfault"
	"github.com/onceberg/onceberg/store"
)

// Transact implements store.Transactional. The mutation finds its transaction by
// [DB], and registers what it does outside the database by [OnRollback].
//
// The record is the last statement before the commit, so a conflict costs the
// loser a rollback and nobody a lock on the key while mutations run. A rejection
// rolls back too, and is then recorded by a statement of its own: a savepoint
// would cost every successful request a round trip, and what lies between the
// two statements is only an outcome that changed nothing.
func (s *Store) Transact(ctx context.Context, claim store.Claim, mutation store.Mutation) (*store.Record, error) {
	if s.closed.Load() {
		return nil, store.ErrClosed
	}
	if isProbablyRetry(claim.Key, time.Now()) {
		r, err := s.held(ctx, claim, false)
		if err != nil || r != nil {
			return s.answer(ctx, claim, r, err)
		}
	}
	for try := 1; ; try++ {
		end, err := s.run(ctx, claim, mutation)
		if end == finished {
			return s.answer(ctx, claim, nil, err)
		}
		if end == yielded || end == refused {
			r, errHeld := s.held(ctx, claim, end == refused)
			if errHeld != nil || r != nil {
				return s.answer(ctx, claim, r, errHeld)
			}
			err = errRaces // what held the key is gone, so run again
		}
		if try == sqlfault.MaxTries || !sqlfault.Pause(ctx, try) {
			return s.answer(ctx, claim, nil, err)
		}
	}
}

// answer turns the end of Transact into its results. A row of the claim's own is
// the outcome that an earlier try recorded without hearing of it.
func (s *Store) answer(ctx context.Context, claim store.Claim, holder *row, err error) (*store.Record, error) {
	if own, ok := errors.AsType[*mutationError](err); ok {
		return nil, own.err
	}
	if err != nil || holder == nil || holder.ownedBy(claim.Token) && holder.Status != nil {
		return nil, s.wrap(ctx, "transact", err)
	}
	rec, err := holder.record()
	if err != nil {
		return nil, s.wrap(ctx, "transact", err)
	}
	return rec, nil
}

// result says how one run of a mutation ended.
type result int

const (
	finished result = iota // there is nothing more to do; an error is the caller's
	yielded                // everything is rolled back: the key is held
	refused                // as yielded, and an abandoned reservation counts as well
	again                  // everything is rolled back: the error calls for another run
)

var errConflicts = errors.New("the database refused statements of the mutation for conflicts with others")

// mutationError is an error of the mutation's own, which goes back unchanged.
type mutationError struct{ err error }

func (e *mutationError) Error() string { return e.err.Error() }
func (e *mutationError) Unwrap() error { return e.err }

// run executes the mutation once, in a transaction that has ended when run
// returns, also by a panic.
func (s *Store) run(ctx context.Context, claim store.Claim, mutation store.Mutation) (result, error) {
	inside, t, err := s.begin(ctx)
	if err != nil {
		return s.sortOut(err), err
	}
	open := true
	defer func() {
		if open {
			t.rollback()
		}
	}()
	outcome, decision, err := mutation(inside)
	if err == nil && decision == store.Commit && !t.conflicted.Load() {
		open = false
		return s.commit(ctx, t, claim, outcome)
	}
	open = false
	t.rollback()
	switch {
	case err == nil && t.conflicted.Load():
		return again, errConflicts
	case t.conflicted.Load() || s.dialect.faults.IsTransient(err):
		return again, &mutationError{err}
	case err != nil:
		return finished, &mutationError{err}
	case decision == store.Reject:
		return s.reject(ctx, claim, outcome)
	}
	return finished, nil
}

// sortOut tells errors after which a transaction may run again from the others.
func (s *Store) sortOut(err error) result {
	if s.isTransient(err) || s.dialect.faults.IsLost(err) {
		return again
	}
	return finished
}

// commit inserts the record and commits the transaction with it.
func (s *Store) commit(ctx context.Context, t *transaction, claim store.Claim, outcome store.Outcome) (result, error) {
	e, err := conclusion(claim, outcome)
	if err != nil {
		t.rollback()
		return finished, err
	}
	v, err := s.record(ctx, t.tx, e)
	if err != nil {
		t.rollback()
		return s.sortOut(err), fmt.Errorf("record the outcome: %w", err)
	}
	if v == held {
		t.rollback()
		return yielded, nil
	}
	if err := t.tx.Commit(); err != nil {
		return s.settled(ctx, t, claim, fmt.Errorf("commit: %w", err))
	}
	return finished, nil
}

// reject records the outcome of a mutation that has been rolled back, unless the
// key is held. It does not replace an abandoned reservation: what that attempt
// may have done may be all that the mutation was rejected for.
func (s *Store) reject(ctx context.Context, claim store.Claim, outcome store.Outcome) (result, error) {
	e, err := conclusion(claim, outcome)
	if err != nil {
		return finished, err
	}
	e.Yields = true
	var v verdict
	err = s.retry(ctx, true, func() (err error) {
		v, err = s.record(ctx, s.base, e)
		return err
	})
	if err != nil {
		return finished, fmt.Errorf("record the rejection: %w", err)
	}
	if v == held {
		return refused, nil
	}
	return finished, nil
}

// held returns the row that keeps the claim from its key, as Reserve does; one
// that was abandoned too, if asked for.
func (s *Store) held(ctx context.Context, claim store.Claim, abandoned bool) (*row, error) {
	var r *row
	err := s.retry(ctx, true, func() (err error) {
		r, err = s.find(ctx, claim.Key)
		return err
	})
	if err != nil || r == nil {
		return nil, err
	}
	if r.holds(claim) || abandoned && r.abandoned() && !r.expired() {
		return r, nil
	}
	return nil, nil
}
