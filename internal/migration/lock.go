package migration

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"
)

// lockPoll is how often a node looks whether another has finished.
const lockPoll = 100 * time.Millisecond

// lock waits until no other node migrates, and keeps the others away until unlock
// is called or this process dies. The lock is a row lock of a transaction that
// does nothing else, because MySQL commits a transaction, and drops its locks, at
// every CREATE and ALTER.
func (s *Set) lock(ctx context.Context, db *bun.DB, d *dialect) (unlock func(), err error) {
	if !d.rowLocks {
		return func() {}, nil
	}
	enough := func() {}
	if db.Stats().MaxOpenConnections == 1 {
		db.SetMaxOpenConns(2)
		enough = func() { db.SetMaxOpenConns(1) }
	}
	defer func() {
		if err != nil {
			enough()
		}
	}()
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for {
		tx, err := s.tryLock(ctx, db)
		if err == nil {
			return func() {
				_ = tx.Rollback()
				enough()
			}, nil
		}
		if !d.faults.IsLocked(err) && !d.faults.IsTransient(err) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
}

// tryLock begins the transaction that holds the lock, or fails at once when
// another node has it.
func (s *Set) tryLock(ctx context.Context, db *bun.DB) (bun.Tx, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return bun.Tx{}, err
	}
	var id int
	row := tx.QueryRowContext(ctx, "SELECT id FROM "+s.Prefix+"_migration_lock WHERE id = 1 FOR UPDATE NOWAIT")
	if err := row.Scan(&id); err != nil {
		_ = tx.Rollback()
		return bun.Tx{}, err
	}
	return tx, nil
}
