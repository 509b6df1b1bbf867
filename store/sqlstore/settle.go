package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/sqlfault"
	"github.com/onceberg/onceberg/store"
)

// settleTimeout is how long the store tries to find out what became of a commit
// whose answer it did not get: long enough for a database to restart, and no
// longer than a client would wait.
const settleTimeout = 10 * time.Second

// settled decides what a failed commit did. Where the error does not tell, the
// record does, since it stands or falls with the transaction.
func (s *Store) settled(ctx context.Context, t *transaction, claim store.Claim, failure error) (result, error) {
	if s.dialect.faults.IsUndone(failure) {
		t.rollback()
		if s.dialect.faults.IsTransient(failure) {
			return again, failure
		}
		return finished, failure
	}
	s.logger.WarnContext(ctx, "the answer to a commit was lost; looking for its record", "key", claim.Key)
	holder, err := s.lastWord(ctx, claim)
	switch {
	case err != nil:
		return finished, fmt.Errorf("%w: %w: %w", store.ErrUnknownOutcome, failure, err)
	case holder == claim.Token:
		return finished, nil
	case holder != "":
		t.rollback()
		return yielded, nil
	}
	t.rollback()
	return again, failure
}

// lastWord returns the token that holds the claim's key, empty when none does.
// It keeps asking while the database is away, also when the caller has left.
func (s *Store) lastWord(ctx context.Context, claim store.Claim) (store.Token, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.settle)
	defer cancel()
	for try := 1; ; try++ {
		holder, err := s.probe(ctx, claim)
		if err == nil || !sqlfault.Pause(ctx, try) {
			return holder, err
		}
	}
}

// probe tries to reserve the key in a transaction that it then rolls back. Only
// reading would not do: a commit still under way in the database is invisible
// to a read, while an insert with the same key waits for its end.
func (s *Store) probe(ctx context.Context, claim store.Claim) (store.Token, error) {
	attempt := claim
	attempt.Token = store.NewToken()
	tx, err := s.base.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	v, err := s.record(ctx, tx, reservation(attempt))
	if errRollback := rollback(tx); err == nil {
		err = errRollback
	}
	if err != nil || v != held {
		return "", err
	}
	r, err := s.find(ctx, claim.Key)
	if err != nil {
		return "", err
	}
	if r == nil {
		return "", errRaces
	}
	return store.Token(r.Owner), nil
}

func rollback(tx bun.Tx) error {
	if err := tx.Rollback(); err != nil {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}
