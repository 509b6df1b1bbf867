package sqlstore_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"github.com/onceberg/onceberg/store/sqlstore"
)

func openDB(tb testing.TB, dsn string, options sqlstore.Options) *bun.DB {
	tb.Helper()
	options.Logger = slog.New(slog.DiscardHandler)
	db, err := sqlstore.OpenDB(context.Background(), dsn, options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return db
}

// TestNodesMigrateAtOnce starts eight nodes, each with connections of its own, on
// an empty database.
func TestNodesMigrateAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		dsn := d.fresh(t)
		const nodes = 8
		dbs := make([]*bun.DB, nodes)
		for i := range dbs {
			dbs[i] = openDB(t, dsn, sqlstore.Options{MaxPoolSize: 2})
		}
		together(nodes, func(i int) {
			if err := sqlstore.Migrate(t.Context(), dbs[i]); err != nil {
				t.Errorf("node %d: %v", i, err)
			}
			if err := sqlstore.Current(t.Context(), dbs[i]); err != nil {
				t.Errorf("node %d is ready and the database is not: %v", i, err)
			}
		})
		var marks int
		if err := dbs[0].NewRaw("SELECT count(*) FROM iceberg_idempotency_migrations").Scan(t.Context(), &marks); err != nil {
			t.Fatal(err)
		}
		if marks != 1 {
			t.Errorf("%d migrations are noted, want 1", marks)
		}
		if err := sqlstore.Migrate(t.Context(), dbs[0]); err != nil {
			t.Errorf("migrating what is migrated: %v", err)
		}
	})
}

func TestCurrentTellsWhatIsMissing(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s := open(t, d.fresh(t))
		if err := s.Current(t.Context()); !errors.Is(err, sqlstore.ErrNotMigrated) {
			t.Errorf("an empty database: %v", err)
		}
		if _, err := s.Reserve(t.Context(), newClaim()); !errors.Is(err, sqlstore.ErrNotMigrated) {
			t.Errorf("Reserve in an empty database: %v", err)
		}
		migrateNow(t, s)
		mustExec(t, s.Base(), "DELETE FROM iceberg_idempotency_migrations")
		err := s.Current(t.Context())
		if !errors.Is(err, sqlstore.ErrNotMigrated) || !strings.Contains(err.Error(), "0001_records") {
			t.Errorf("a database without the first migration: %v", err)
		}
	})
}

// TestPrintedMigrations runs the script as a database administrator would.
func TestPrintedMigrations(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		var script strings.Builder
		if err := sqlstore.PrintMigrations(&script, d.name); err != nil {
			t.Fatal(err)
		}
		s := open(t, d.fresh(t))
		for range 2 { // a script can be run again
			for statement := range strings.SplitSeq(script.String(), ";\n") {
				if strings.TrimSpace(statement) != "" {
					mustExec(t, s.Base(), statement)
				}
			}
		}
		if err := s.Current(t.Context()); err != nil {
			t.Error(err)
		}
		migrateNow(t, s)
		if got, err := s.Reserve(t.Context(), newClaim()); err != nil || !got.Acquired {
			t.Errorf("Reserve: %+v, %v", got, err)
		}
	})
	if err := sqlstore.PrintMigrations(&strings.Builder{}, "oracle"); err == nil {
		t.Error("there are migrations for oracle")
	}
}

// TestApplicationKeepsItsOwnMigrations runs bun's migrate with its default table
// names beside ours.
func TestApplicationKeepsItsOwnMigrations(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s := open(t, d.fresh(t))
		own := migrate.NewMigrations()
		own.Add(migrate.Migration{
			Name: "0001",
			Up: func(ctx context.Context, m *migrate.Migrator, _ *migrate.Migration) error {
				_, err := m.DB().ExecContext(ctx, "CREATE TABLE own (i INT)")
				return err
			},
		})
		m := migrate.NewMigrator(s.Base(), own)
		if err := m.Init(t.Context()); err != nil {
			t.Fatal(err)
		}
		migrateNow(t, s)
		if group, err := m.Migrate(t.Context()); err != nil || group.IsZero() {
			t.Fatalf("the application's migration: %v, %v", group, err)
		}
		if err := s.Current(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestMigrateWithOneConnection makes do with a pool that is too small.
func TestMigrateWithOneConnection(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		db := openDB(t, d.fresh(t), sqlstore.Options{MaxPoolSize: 1})
		if err := sqlstore.Migrate(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		if n := db.Stats().MaxOpenConnections; n != 1 {
			t.Errorf("the pool has %d connections afterwards", n)
		}
	})
}

// TestMigrateWaits gives up with its context while another node migrates.
func TestMigrateWaits(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		s, _ := d.migrated(t)
		tx, err := s.Base().BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var id int
		if err := tx.NewRaw("SELECT id FROM iceberg_idempotency_migration_lock FOR UPDATE").Scan(t.Context(), &id); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		err = s.Migrate(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", d.name, err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		migrateNow(t, s)
	}
}
