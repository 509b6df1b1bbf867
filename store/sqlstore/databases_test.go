package sqlstore_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// database is one kind of database that every test runs on.
type database struct {
	name string
	// fresh returns the DSN of an empty database.
	fresh func(tb testing.TB) string
	// server is the server behind it; nil for SQLite.
	server func(tb testing.TB) *testdb.Server
	// block makes every statement of others on the store's table hang until
	// unblock is called.
	block, unblock string
}

var databases = []database{
	{
		name:    "postgres",
		fresh:   func(tb testing.TB) string { return testdb.Postgres(tb).Database(tb) },
		server:  testdb.Postgres,
		block:   "BEGIN; LOCK TABLE iceberg_idempotency_key_meta IN ACCESS EXCLUSIVE MODE",
		unblock: "ROLLBACK",
	},
	{
		name:    "mysql",
		fresh:   func(tb testing.TB) string { return testdb.MariaDB(tb).Database(tb) },
		server:  testdb.MariaDB,
		block:   "LOCK TABLES iceberg_idempotency_key_meta WRITE",
		unblock: "UNLOCK TABLES",
	},
	{
		name: "sqlite",
		fresh: func(tb testing.TB) string {
			dsn := "sqlite:" + filepath.Join(tb.TempDir(), "records.db")
			if _, ok := tb.(*testing.B); !ok {
				dsn += "?_pragma=synchronous(OFF)" // tests lose processes, never power
			}
			return dsn
		},
	},
}

// onEach runs a test on every database.
func onEach(t *testing.T, test func(t *testing.T, d database)) {
	t.Parallel()
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			test(t, d)
		})
	}
}

// open opens a store on a DSN and closes it with the test.
func open(tb testing.TB, dsn string) *sqlstore.Store {
	tb.Helper()
	s, err := sqlstore.Open(context.Background(), dsn, sqlstore.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

// migrated opens a store on a fresh database and creates its table.
func (d database) migrated(tb testing.TB) (s *sqlstore.Store, dsn string) {
	tb.Helper()
	dsn = d.fresh(tb)
	s = open(tb, dsn)
	migrateNow(tb, s)
	return s, dsn
}

func migrateNow(tb testing.TB, s *sqlstore.Store) {
	tb.Helper()
	if err := s.Migrate(context.Background()); err != nil {
		tb.Fatal(err)
	}
}

// stall makes the statements of others hang until the returned function is
// called. In SQLite it takes the one connection that writes.
func (d database) stall(tb testing.TB, s *sqlstore.Store, dsn string) (resume func()) {
	tb.Helper()
	ctx := context.Background()
	db := s.Base()
	if d.block != "" {
		other, err := sqlstore.OpenDB(ctx, dsn, sqlstore.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { other.Close() })
		db = other
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close() })
	if d.block == "" {
		return func() { conn.Close() }
	}
	mustExec(tb, conn, d.block)
	return func() {
		mustExec(tb, conn, d.unblock)
		conn.Close()
	}
}

func mustExec(tb testing.TB, conn bun.IConn, statement string, args ...any) {
	tb.Helper()
	if _, err := conn.ExecContext(context.Background(), statement, args...); err != nil {
		tb.Fatalf("%s: %v", statement, err)
	}
}

// spell writes an expression in the database's way.
func (d database) spell(expression string) string {
	switch d.name {
	case "mysql":
		return strings.ReplaceAll(expression, `\u`, `\\u`)
	case "sqlite":
		return strings.ReplaceAll(expression, "concat('zz', ", "'zz' || (")
	}
	return expression
}
