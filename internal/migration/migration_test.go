package migration_test

import (
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/uptrace/bun"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/migration"
	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testdb.Main(m)) }

var errNotMigrated = errors.New("not migrated")

// once has a migration that cannot be run a second time.
func once() *migration.Set {
	files := fstest.MapFS{}
	for _, database := range []string{"postgres", "mysql", "sqlite"} {
		folder := "migrations/" + database + "/"
		files[folder+"0001_a.tx.up.sql"] = &fstest.MapFile{Data: []byte("CREATE TABLE once (a INT);\n")}
		files[folder+"0002_b.tx.up.sql"] = &fstest.MapFile{Data: []byte(
			"ALTER TABLE once ADD COLUMN b INT;\n--bun:split\nALTER TABLE once ADD COLUMN c INT;\n")}
	}
	return &migration.Set{Part: "part", Prefix: "once", Files: files, NotMigrated: errNotMigrated}
}

// dsns give a fresh database of each kind.
var dsns = map[string]func(*testing.T) string{
	"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "once.db") },
	"postgres": func(t *testing.T) string { return testdb.Postgres(t).Database(t) },
	"mysql":    func(t *testing.T) string { return testdb.MariaDB(t).Database(t) },
}

func open(t *testing.T, dsn string) *bun.DB {
	t.Helper()
	db, err := sqlstore.OpenDB(t.Context(), dsn, sqlstore.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Of eight nodes that start at once, each migration is run by one, though it
// would fail when run twice and the database may not undo half of it.
func TestEachMigrationIsRunOnce(t *testing.T) {
	t.Parallel()
	for name, dsn := range dsns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, set := dsn(t), once()
			first := open(t, at)
			if err := set.Current(t.Context(), first); !errors.Is(err, errNotMigrated) {
				t.Errorf("an empty database: %v", err)
			}
			var nodes sync.WaitGroup
			for range 8 {
				db := open(t, at)
				nodes.Go(func() {
					if err := set.Migrate(t.Context(), db); err != nil {
						t.Error(err)
					}
					if err := set.Current(t.Context(), db); err != nil {
						t.Errorf("a node is ready and the database is not: %v", err)
					}
				})
			}
			nodes.Wait()
			if _, err := first.ExecContext(t.Context(), "INSERT INTO once (a, b, c) VALUES (1, 2, 3)"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A script that was run by hand leaves nothing to do.
func TestPrintedMigrationsAreNoted(t *testing.T) {
	t.Parallel()
	for name, dsn := range dsns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, set := open(t, dsn(t)), once()
			var script strings.Builder
			if err := set.Print(&script, name); err != nil {
				t.Fatal(err)
			}
			for statement := range strings.SplitSeq(script.String(), ";\n") {
				if strings.TrimSpace(statement) == "" {
					continue
				}
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}
			if err := set.Migrate(t.Context(), db); err != nil {
				t.Error(err)
			}
		})
	}
	if err := once().Print(new(strings.Builder), "oracle"); err == nil || !strings.HasPrefix(err.Error(), "part: ") {
		t.Errorf("there are migrations for oracle: %v", err)
	}
}
