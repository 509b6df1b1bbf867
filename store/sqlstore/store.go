package sqlstore

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/store"
)

// Options tune a store. The zero value is ready to use.
type Options struct {
	// MaxPoolSize is the most connections that are open at a time; 0 means 10.
	MaxPoolSize int

	// User and Password replace what the DSN says, so that a secret need not be
	// written into it. SQLite has neither.
	User, Password string

	// Logger hears what an operator should know; nil means slog.Default. No
	// DSN, no password and no content of a record is ever logged.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.MaxPoolSize <= 0 {
		o.MaxPoolSize = 10
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

// Store keeps records in one table of a SQL database. It implements
// store.Transactional.
type Store struct {
	base    *bun.DB // as it was given; statements of the store go through db
	db      *bun.DB // knows ?now
	txdb    *bun.DB // begins transactions and watches them for conflicts
	dialect *dialect
	clock   *clock
	logger  *slog.Logger
	settle  time.Duration // how long to look for a commit whose answer was lost
	owned   bool
	closed  atomic.Bool

	prepared atomic.Bool // statements are run by their prepared names
}

var _ store.Transactional = (*Store)(nil)

// Open connects to the database of the DSN, as [OpenDB] does, and returns a store
// on it. Closing the store closes the connections.
func Open(ctx context.Context, dsn string, options Options) (*Store, error) {
	db, err := OpenDB(ctx, dsn, options)
	if err != nil {
		return nil, err
	}
	s, err := New(db, options)
	if err != nil {
		db.Close()
		return nil, err
	}
	s.owned = true
	return s, nil
}

// New returns a store on a database that the caller has opened, best by [OpenDB],
// and goes on to use: with [Store.Transact] both share transactions. Closing the
// store leaves the database open. Only Options.Logger is used.
func New(db *bun.DB, options Options) (*Store, error) {
	d, err := dialectOf(db)
	if err != nil {
		return nil, err
	}
	c := &clock{expression: d.now}
	s := &Store{
		base:    db,
		db:      db.WithNamedArg("now", c),
		txdb:    db.WithQueryHook(&conflictHook{dialect: d}),
		dialect: d,
		clock:   c,
		logger:  options.withDefaults().Logger,
		settle:  settleTimeout,
	}
	s.prepared.Store(d == postgresDialect)
	return s, nil
}

// Migrate brings the store's database up to date; see [Migrate].
func (s *Store) Migrate(ctx context.Context) error { return Migrate(ctx, s.base) }

// Current reports whether the store's database is up to date; see [Current].
func (s *Store) Current(ctx context.Context) error { return Current(ctx, s.base) }

// Close makes every later call fail with store.ErrClosed, and closes the
// connections of a store that Open made.
func (s *Store) Close() error {
	if s.closed.Swap(true) || !s.owned {
		return nil
	}
	return s.base.Close()
}
