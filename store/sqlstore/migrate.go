package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// The tables in which migrations keep their books, named so that an
// application's own bun migrations have theirs.
const (
	marksTable = "iceberg_idempotency_migrations"
	lockTable  = "iceberg_idempotency_migration_lock"
)

// files holds a folder per dialect: bookkeeping.sql, which creates the two
// tables above, and one file per migration, which bun's migrate runs in a
// transaction. Statements are separated by --bun:split. Released files are never
// changed; there is no way back down.
//
//go:embed migrations
var files embed.FS

const bookkeeping = "bookkeeping.sql"

func (d *dialect) folder() (fs.FS, error) { return fs.Sub(files, "migrations/"+d.name) }

// Migrate applies what is missing, and returns nil when nothing is. Any number
// of nodes may call it at once, on a new database too: one of them works, the
// others wait for it until their contexts are done. It takes two connections,
// for which a pool of one is made larger while it lasts.
func Migrate(ctx context.Context, db *bun.DB) error {
	d, err := dialectOf(db)
	if err != nil {
		return err
	}
	if err := createBookkeeping(ctx, db, d); err != nil {
		return fmt.Errorf("sqlstore: migrate: create the bookkeeping tables: %w", err)
	}
	unlock, err := lockMigrations(ctx, db, d)
	if err != nil {
		return fmt.Errorf("sqlstore: migrate: wait for another node to finish: %w", err)
	}
	defer unlock()
	m, err := migrator(db, d)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		_, err := m.Migrate(ctx)
		if err == nil {
			return nil
		}
		more := errors.Is(err, errAppliedMeanwhile) || d.faults.IsTransient(err)
		if !more || try == sqlfault.MaxTries || !sqlfault.Pause(ctx, try) {
			return fmt.Errorf("sqlstore: migrate: %w", err)
		}
	}
}

// Current returns nil when all migrations of this release have been applied, and
// an error that matches [ErrNotMigrated] when some have not.
func Current(ctx context.Context, db *bun.DB) error {
	d, err := dialectOf(db)
	if err != nil {
		return err
	}
	m, err := migrator(db, d)
	if err != nil {
		return err
	}
	all, err := m.MigrationsWithStatus(ctx)
	if d.faults.IsMissingTable(err) {
		return ErrNotMigrated
	}
	if err != nil {
		return fmt.Errorf("sqlstore: read the state of the migrations: %w", err)
	}
	if missing := all.Unapplied(); len(missing) > 0 {
		return fmt.Errorf("%w: missing %s", ErrNotMigrated, missing)
	}
	return nil
}

// migrator prepares bun's. A migration is marked as applied within its own
// transaction, where the database can; marking it again afterwards is harmless.
func migrator(db *bun.DB, d *dialect) (*migrate.Migrator, error) {
	folder, err := d.folder()
	if err != nil {
		return nil, err
	}
	migrations := migrate.NewMigrations()
	if err := migrations.Discover(folder); err != nil {
		return nil, err
	}
	return migrate.NewMigrator(db, migrations,
		migrate.WithTableName(marksTable),
		migrate.WithMarkAppliedOnSuccess(true),
		migrate.WithUpsert(true),
		migrate.BeforeMigration(isStillMissing),
		migrate.AfterMigration(func(ctx context.Context, conn bun.IConn, m *migrate.Migration) error {
			_, err := conn.ExecContext(ctx, fmt.Sprintf(d.markSQL, m.Name))
			return err
		}),
	), nil
}

var errAppliedMeanwhile = errors.New("applied by another node meanwhile")

// isStillMissing looks again, within the migration's transaction, before it is
// run. In SQLite that transaction is the only thing that excludes other nodes.
func isStillMissing(ctx context.Context, conn bun.IConn, m *migrate.Migration) error {
	var n int
	err := conn.QueryRowContext(ctx, "SELECT count(*) FROM "+marksTable+" WHERE name = '"+m.Name+"'").Scan(&n)
	if err != nil {
		return err
	}
	if n > 0 {
		return errAppliedMeanwhile
	}
	return nil
}

// createBookkeeping creates the two tables. IF NOT EXISTS does not keep two nodes
// from creating one at once, so the loser tries again.
func createBookkeeping(ctx context.Context, db *bun.DB, d *dialect) error {
	statements, err := d.statements(bookkeeping)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		for try := 1; ; try++ {
			_, err := db.ExecContext(ctx, statement)
			if err == nil {
				break
			}
			if try == sqlfault.MaxTries || !d.faults.IsRacing(err) || !sqlfault.Pause(ctx, try) {
				return err
			}
		}
	}
	return nil
}

// statements reads a file of the dialect's folder.
func (d *dialect) statements(file string) ([]string, error) {
	text, err := files.ReadFile("migrations/" + d.name + "/" + file)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(text)), "--bun:split\n"), nil
}

// lockPoll is how often a node looks whether another has finished.
const lockPoll = 100 * time.Millisecond

// lockMigrations waits until no other node migrates, and keeps the others away
// until unlock is called or this process dies. The lock is a row lock of a
// transaction that does nothing else, because MySQL commits a transaction, and
// drops its locks, at every CREATE and ALTER.
func lockMigrations(ctx context.Context, db *bun.DB, d *dialect) (unlock func(), err error) {
	if d.migrationLock == "" {
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
		tx, err := tryLock(ctx, db, d)
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

func tryLock(ctx context.Context, db *bun.DB, d *dialect) (bun.Tx, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return bun.Tx{}, err
	}
	var id int
	if err := tx.QueryRowContext(ctx, d.migrationLock).Scan(&id); err != nil {
		_ = tx.Rollback()
		return bun.Tx{}, err
	}
	return tx, nil
}
