package database

import (
	"context"
	"embed"
	"io"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/migration"
)

//go:embed migrations
var files embed.FS

var migrations = &migration.Set{
	Part:        "catalog",
	Prefix:      "iceberg_catalog",
	Files:       files,
	NotMigrated: ErrNotMigrated,
}

// Migrate applies what is missing, and returns nil when nothing is. Any number of
// nodes may call it at once: one of them works, the others wait for it until
// their contexts are done. It takes two connections, for which a pool of one is
// made larger while it lasts.
func Migrate(ctx context.Context, db *bun.DB) error {
	return migrations.Migrate(ctx, db)
}

// Current returns nil when all migrations of this release have been applied, and
// an error that matches ErrNotMigrated when some have not.
func Current(ctx context.Context, db *bun.DB) error {
	return migrations.Current(ctx, db)
}

// PrintMigrations writes the SQL of all migrations for somebody to run by hand:
// for "postgres", "mysql" (MariaDB too) or "sqlite". The script does what Migrate
// does on an empty database, including the notes that keep Migrate from doing it
// again.
func PrintMigrations(w io.Writer, database string) error {
	return migrations.Print(w, database)
}
