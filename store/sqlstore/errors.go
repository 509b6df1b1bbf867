package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/onceberg/onceberg/store"
)

// ErrNotMigrated means that the database lacks the table, or that migrations of
// this release have not been applied to it; [Migrate] does that.
var ErrNotMigrated = errors.New("sqlstore: the database has not been migrated")

// wrap is the one place where errors of the database become errors of the store.
// The context's error wins over whatever its end did to the connection.
func (s *Store) wrap(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	if s.closed.Load() {
		return store.ErrClosed
	}
	if errors.Is(err, store.ErrCorrupt) {
		s.logger.ErrorContext(ctx, "a stored idempotency record cannot be read", "error", err)
	}
	if s.dialect.faults.IsMissingTable(err) {
		err = fmt.Errorf("%w: %w", ErrNotMigrated, err)
	}
	if s.dialect.faults.IsTooLarge(err) {
		err = fmt.Errorf("the server's max_allowed_packet is too small for this record: %w", err)
	}
	if done := ctx.Err(); done != nil && !errors.Is(err, done) {
		err = fmt.Errorf("%w: %w", done, err)
	}
	return fmt.Errorf("sqlstore: %s: %w", operation, err)
}

// isTransient is as the database has it, and true also when a prepared statement is not
// there: the store then does without them from now on. That happens on a
// database that was not opened by OpenDB, and behind a pooler that changes the
// server's session under a connection.
func (s *Store) isTransient(err error) bool {
	if s.dialect.faults.IsUnprepared(err) {
		if s.prepared.Swap(false) {
			s.logger.Info("prepared statements do not survive on this database; doing without", "error", err)
		}
		return true
	}
	return s.dialect.faults.IsTransient(err)
}
