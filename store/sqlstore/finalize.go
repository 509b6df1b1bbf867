package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/onceberg/onceberg/store"
)

// change is the argument of the statements about a row that is there.
type change struct {
	Key   string
	Owner string
	Lease int64 // milliseconds
	final
}

// Finalize implements store.Store by one statement. Only one that met nothing to
// change needs another to tell why.
func (s *Store) Finalize(ctx context.Context, key string, token store.Token, outcome store.Outcome, retain time.Duration) error {
	f, err := finish(outcome, retain)
	if err != nil {
		return fmt.Errorf("sqlstore: finalize: %w", err)
	}
	return s.change(ctx, "finalize", finalizeRow, change{Key: key, Owner: string(token), final: *f}, func(r *row) bool {
		return r.Status != nil && *r.Status == f.Status
	})
}

// Renew implements store.Store by one statement.
func (s *Store) Renew(ctx context.Context, key string, token store.Token, lease time.Duration) error {
	arg := change{Key: key, Owner: string(token), Lease: max(lease, 0).Milliseconds()}
	// MySQL may count a row as unchanged that was renewed twice within a
	// millisecond.
	return s.change(ctx, "renew", renewRow, arg, func(r *row) bool { return r.Status == nil })
}

// Release implements store.Store by one statement.
func (s *Store) Release(ctx context.Context, key string, token store.Token) error {
	return s.change(ctx, "release", releaseRow, change{Key: key, Owner: string(token)}, nil)
}

// change runs a statement that must meet the row that the token holds. When it
// meets none, done says by looking at the token's row whether its effect is
// there all the same; without done a lost answer cannot be told from a lost
// lease, so the statement is not repeated.
func (s *Store) change(ctx context.Context, operation string, st *statement, arg change, done func(*row) bool) error {
	if s.closed.Load() {
		return store.ErrClosed
	}
	err := s.retry(ctx, done != nil, func() error {
		result, err := s.raw(st, arg).Conn(s.base).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil || n > 0 {
			return err
		}
		if done == nil {
			return store.ErrLeaseLost
		}
		r, err := s.find(ctx, arg.Key)
		if err != nil {
			return err
		}
		if r == nil || !r.ownedBy(store.Token(arg.Owner)) || !done(r) {
			return store.ErrLeaseLost
		}
		return nil
	})
	return s.wrap(ctx, operation, err)
}
