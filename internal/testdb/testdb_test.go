package testdb_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/driver/pgdriver"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testdb.Main(m)) }

// open opens a DSN that the package returned, whatever database it is of.
func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", dsn)
	if strings.HasPrefix(dsn, "postgres://") {
		db = sql.OpenDB(pgdriver.NewConnector(pgdriver.WithTimeout(time.Minute), pgdriver.WithDSN(dsn)))
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

var engines = map[string]struct {
	shared, own func(testing.TB) *testdb.Server
}{
	"PostgreSQL": {testdb.Postgres, testdb.NewPostgres},
	"MariaDB":    {testdb.MariaDB, testdb.NewMariaDB},
}

func TestDatabasesAreSeparate(t *testing.T) {
	for name, engine := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := engine.shared(t)
			one, two := open(t, srv.Database(t)), open(t, srv.Database(t))
			exec(t, one, "CREATE TABLE x (i INT)")
			exec(t, two, "CREATE TABLE x (i INT)")
			if engine.shared(t) != srv {
				t.Error("a second server was started")
			}
		})
	}
}

func TestDataSurvivesStopAndKill(t *testing.T) {
	for name, engine := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := engine.own(t)
			dsn := srv.Database(t)
			exec(t, open(t, dsn), "CREATE TABLE x (i INT)")

			for end, stop := range map[string]func(testing.TB){"stop": srv.Stop, "kill": srv.Kill} {
				stop(t)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				if err := open(t, dsn).PingContext(ctx); err == nil {
					t.Errorf("the server answers after %s", end)
				}
				cancel()
				srv.Start(t)
				exec(t, open(t, dsn), "INSERT INTO x VALUES (1)")
			}
		})
	}
}

func TestProxyLosesWhatItIsTold(t *testing.T) {
	for name, engine := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := engine.shared(t)
			dsn := srv.Database(t)
			direct := open(t, dsn)
			exec(t, direct, "CREATE TABLE x (i INT)")
			proxy, through := srv.Proxy(t, dsn)
			db := open(t, through)

			count := func() (n int) {
				t.Helper()
				if err := direct.QueryRowContext(t.Context(), "SELECT count(*) FROM x").Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			lose := func(sprung <-chan struct{}) {
				t.Helper()
				if _, err := db.ExecContext(t.Context(), "INSERT INTO x VALUES (42)"); err == nil {
					t.Error("the statement succeeded")
				}
				<-sprung
			}
			lose(proxy.LoseRequest("VALUES (42)"))
			if n := count(); n != 0 {
				t.Errorf("a lost request wrote %d rows", n)
			}
			lose(proxy.LoseAnswer("VALUES (42)"))
			if n := count(); n != 1 {
				t.Errorf("a request whose answer was lost wrote %d rows", n)
			}

			proxy.Cut()
			if err := db.PingContext(t.Context()); err == nil {
				t.Error("a cut proxy lets a ping through")
			}
			proxy.Restore()
			if err := db.PingContext(t.Context()); err != nil {
				t.Errorf("a restored proxy: %v", err)
			}
		})
	}
}

// TestFoldersOfTheDeadAreRemoved plants the folder of a process that cannot
// exist beside one of a process that does.
func TestFoldersOfTheDeadAreRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dead := filepath.Join(os.TempDir(), "onceberg-testdb-2147483646-x")
	alive := filepath.Join(os.TempDir(), "onceberg-testdb-1-x")
	for _, dir := range []string{dead, alive} {
		if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	testdb.Sweep()
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("the folder of a dead process is still there: %v", err)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Errorf("the folder of a living process is gone: %v", err)
	}
}

func TestMissingProgramIsNamed(t *testing.T) {
	for _, name := range []string{"PostgreSQL", "MariaDB"} {
		err := testdb.FindNothing(name)
		if err == nil || !strings.Contains(err.Error(), "apt-get install") || !strings.Contains(err.Error(), "make deps") {
			t.Errorf("%s: the error does not say how to install it: %v", name, err)
		}
	}
}
