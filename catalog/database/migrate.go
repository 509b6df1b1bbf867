package database

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// marksTable is where migrations keep their books, named so that an
// application's own bun migrations have theirs.
const marksTable = "iceberg_catalog_migrations"

// files holds a folder per dialect: bookkeeping.sql, which creates the table
// above, and one file per migration. A migration may be run by two nodes at once
// and must come to the same end: it creates what is not there and is never
// changed once released. There is no way back down.
//
//go:embed migrations
var files embed.FS

// Migrate applies what is missing, and returns nil when nothing is. Any number of
// nodes may call it at once.
func Migrate(ctx context.Context, db *bun.DB) error {
	d, m, err := migrator(db)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		if err = keepBooks(ctx, db, d); err == nil {
			_, err = m.Migrate(ctx)
		}
		if err == nil {
			return nil
		}
		again := d.faults.IsRacing(err) || d.faults.IsTransient(err)
		if !again || try == sqlfault.MaxTries || !sqlfault.Pause(ctx, try) {
			return fmt.Errorf("catalog: migrate: %w", err)
		}
	}
}

func keepBooks(ctx context.Context, db *bun.DB, d *dialect) error {
	statement, err := files.ReadFile("migrations/" + d.name + "/bookkeeping.sql")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, string(statement))
	return err
}

// Current returns nil when all migrations of this release have been applied, and
// an error that matches ErrNotMigrated when some have not.
func Current(ctx context.Context, db *bun.DB) error {
	d, m, err := migrator(db)
	if err != nil {
		return err
	}
	all, err := m.MigrationsWithStatus(ctx)
	if d.faults.IsMissingTable(err) {
		return ErrNotMigrated
	}
	if err != nil {
		return fmt.Errorf("catalog: read the state of the migrations: %w", err)
	}
	if missing := all.Unapplied(); len(missing) > 0 {
		return fmt.Errorf("%w: missing %s", ErrNotMigrated, missing)
	}
	return nil
}

func migrator(db *bun.DB) (*dialect, *migrate.Migrator, error) {
	d, err := dialectOf(db)
	if err != nil {
		return nil, nil, err
	}
	folder, err := fs.Sub(files, "migrations/"+d.name)
	if err != nil {
		return nil, nil, err
	}
	migrations := migrate.NewMigrations()
	if err := migrations.Discover(folder); err != nil {
		return nil, nil, err
	}
	return d, migrate.NewMigrator(db, migrations,
		migrate.WithTableName(marksTable),
		migrate.WithMarkAppliedOnSuccess(true),
		migrate.WithUpsert(true)), nil
}

// markSQL notes a migration as applied, in scripts that are run by hand.
var markSQL = map[string]string{
	"postgres": "INSERT INTO " + marksTable + " (name, group_id) VALUES ('%s', 1) ON CONFLICT (name) DO NOTHING;\n\n",
	"mysql":    "INSERT IGNORE INTO " + marksTable + " (name, group_id) VALUES ('%s', 1);\n\n",
	"sqlite":   "INSERT OR IGNORE INTO " + marksTable + " (name, group_id) VALUES ('%s', 1);\n\n",
}

// PrintMigrations writes the SQL of all migrations for somebody to run by hand:
// for "postgres", "mysql" (MariaDB too) or "sqlite". The script does what Migrate
// does on an empty database, including the notes that keep Migrate from doing it
// again.
func PrintMigrations(w io.Writer, database string) error {
	mark, known := markSQL[database]
	if !known {
		return fmt.Errorf("catalog: no migrations for %q: there are some for postgres, mysql and sqlite", database)
	}
	folder := "migrations/" + database + "/"
	names, err := fs.Glob(files, folder+"*.up.sql")
	if err != nil {
		return err
	}
	var script strings.Builder
	for _, name := range append([]string{folder + "bookkeeping.sql"}, names...) {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		base := strings.TrimPrefix(name, folder)
		fmt.Fprintf(&script, "-- %s\n%s\n", base, strings.ReplaceAll(string(text), "--bun:split\n", "\n"))
		if number, _, isMigration := strings.Cut(base, "_"); isMigration {
			fmt.Fprintf(&script, mark, number)
		}
	}
	_, err = io.WriteString(w, script.String())
	return err
}
