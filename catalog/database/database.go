package database

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

var (
	// ErrUnknownOutcome means that a commit was sent and its answer did not come.
	ErrUnknownOutcome = errors.New("catalog: whether the transaction was committed is not known")
	// ErrBusy means that the database undid a transaction again and again, for
	// conflicts with others. Nothing was written.
	ErrBusy = errors.New("catalog: the database refused the transaction for conflicts with others")
	// ErrUnreachable means that the database could not be asked, or went away
	// before the transaction's commit was sent. Nothing was written.
	ErrUnreachable = errors.New("catalog: the database cannot be reached")
	// ErrNotMigrated means that migrations of this release are missing; [Migrate]
	// applies them.
	ErrNotMigrated = errors.New("catalog: the database has not been migrated")
)

// Config says where the entries are, and how to take part in a transaction that
// somebody else has begun.
type Config struct {
	// DB is the database, migrated and opened as the package documentation asks.
	DB *bun.DB
	// Tx returns the transaction that a context carries, and fallback when there
	// is none. Nil means that there never is.
	Tx func(ctx context.Context, fallback bun.IDB) bun.IDB
	// OnRollback has undo called when the transaction in the context is rolled
	// back, and is never called without one. It is needed with Tx.
	OnRollback func(ctx context.Context, undo func()) bool
}

// DB is the catalog's database. It is safe for concurrent use.
type DB struct {
	config  Config
	dialect *dialect
	// due is signalled when a deletion was scheduled.
	due chan struct{}
}

// New returns the catalog in a database.
func New(config Config) (*DB, error) {
	if config.DB == nil {
		return nil, errors.New("catalog: there is no database")
	}
	if (config.Tx == nil) != (config.OnRollback == nil) {
		return nil, errors.New("catalog: Tx and OnRollback go together")
	}
	d, err := dialectOf(config.DB)
	if err != nil {
		return nil, err
	}
	return &DB{config: config, dialect: d, due: make(chan struct{}, 1)}, nil
}

// Read returns what reads from the transaction in the context or, without one,
// from the database.
func (d *DB) Read(ctx context.Context) *Reader {
	if q := d.running(ctx); q != nil {
		return &Reader{q, d.dialect}
	}
	return &Reader{d.config.DB, d.dialect}
}

// running is the transaction in the context, nil without one.
func (d *DB) running(ctx context.Context) bun.IDB {
	if d.config.Tx == nil {
		return nil
	}
	return d.config.Tx(ctx, nil)
}

// Reader reads entries. It is valid as long as its transaction.
type Reader struct {
	q       bun.IDB
	dialect *dialect
}

// failed wraps the error of a statement. One that was cut off by the loss of its
// connection takes its transaction along, which the database rolls back.
func (r *Reader) failed(doing string, err error) error {
	if r.dialect.faults.IsAway(err) {
		return fmt.Errorf("%s: %w: %w", doing, ErrUnreachable, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
