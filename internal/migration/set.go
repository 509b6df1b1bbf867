package migration

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// Set is the migrations of one part of the project.
type Set struct {
	// Part begins the errors.
	Part string

	// Prefix begins the names of the two tables in which the set keeps its books,
	// so that an application's own bun migrations have theirs.
	Prefix string

	// Files holds a folder per database, migrations/postgres and so on, with one
	// file per migration. Its name ends in .tx.up.sql and bun's migrate runs it in a
	// transaction. Statements are separated by --bun:split. Released files are never
	// changed; there is no way back down.
	Files fs.FS

	// NotMigrated is what Current's errors match when migrations are missing.
	NotMigrated error
}

// Migrate applies what is missing, and returns nil when nothing is. Any number
// of nodes may call it at once, on a new database too: one of them works, the
// others wait for it until their contexts are done. It takes two connections,
// for which a pool of one is made larger while it lasts.
func (s *Set) Migrate(ctx context.Context, db *bun.DB) error {
	if err := s.migrate(ctx, db); err != nil {
		return fmt.Errorf("%s: migrate: %w", s.Part, err)
	}
	return nil
}

func (s *Set) migrate(ctx context.Context, db *bun.DB) error {
	d, err := dialectOf(db)
	if err != nil {
		return err
	}
	if err := s.createBookkeeping(ctx, db, d); err != nil {
		return fmt.Errorf("create the bookkeeping tables: %w", err)
	}
	unlock, err := s.lock(ctx, db, d)
	if err != nil {
		return fmt.Errorf("wait for another node to finish: %w", err)
	}
	defer unlock()
	m, err := s.migrator(db, d)
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
			return err
		}
	}
}

// Current returns nil when all migrations of this release have been applied, and
// an error that matches NotMigrated when some have not.
func (s *Set) Current(ctx context.Context, db *bun.DB) error {
	d, err := dialectOf(db)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Part, err)
	}
	m, err := s.migrator(db, d)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Part, err)
	}
	all, err := m.MigrationsWithStatus(ctx)
	if d.faults.IsMissingTable(err) {
		return s.NotMigrated
	}
	if err != nil {
		return fmt.Errorf("%s: read the state of the migrations: %w", s.Part, err)
	}
	if missing := all.Unapplied(); len(missing) > 0 {
		return fmt.Errorf("%w: missing %s", s.NotMigrated, missing)
	}
	return nil
}

// migrator prepares bun's. A migration is marked as applied within its own
// transaction, where the database can; marking it again afterwards is harmless.
func (s *Set) migrator(db *bun.DB, d *dialect) (*migrate.Migrator, error) {
	folder, err := s.folder(d)
	if err != nil {
		return nil, err
	}
	migrations := migrate.NewMigrations()
	if err := migrations.Discover(folder); err != nil {
		return nil, err
	}
	return migrate.NewMigrator(db, migrations,
		migrate.WithTableName(s.marks()),
		migrate.WithMarkAppliedOnSuccess(true),
		migrate.WithUpsert(true),
		migrate.BeforeMigration(s.isStillMissing),
		migrate.AfterMigration(func(ctx context.Context, conn bun.IConn, m *migrate.Migration) error {
			_, err := conn.ExecContext(ctx, s.mark(d, m.Name))
			return err
		}),
	), nil
}

var errAppliedMeanwhile = errors.New("applied by another node meanwhile")

// isStillMissing looks again, within the migration's transaction, before it is
// run. In SQLite that transaction is the only thing that excludes other nodes.
func (s *Set) isStillMissing(ctx context.Context, conn bun.IConn, m *migrate.Migration) error {
	var n int
	err := conn.QueryRowContext(ctx, "SELECT count(*) FROM "+s.marks()+" WHERE name = '"+m.Name+"'").Scan(&n)
	if err != nil {
		return err
	}
	if n > 0 {
		return errAppliedMeanwhile
	}
	return nil
}

func (s *Set) folder(d *dialect) (fs.FS, error) { return fs.Sub(s.Files, "migrations/"+d.name) }
