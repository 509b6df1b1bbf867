package sqlstore_test

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store/sqlstore"
)

func TestOpenNeverRevealsThePassword(t *testing.T) {
	t.Parallel()
	const secret = "s3cret"
	pg := testdb.Postgres(t).Database(t)
	wrong, err := url.Parse(pg)
	if err != nil {
		t.Fatal(err)
	}
	wrong.User = url.UserPassword("onceberg", secret)
	for name, dsn := range map[string]string{
		"no scheme":              "onceberg:" + secret + "#nonsense",
		"unknown scheme":         "oracle://u:" + secret + "@h/d",
		"postgres, bad port":     "postgres://u:" + secret + "#x@h:5432/d",
		"postgres, bad escape":   "postgres://u:" + secret + "%zz@h/d",
		"postgres, bad sslmode":  "postgres://u:" + secret + "@h/d?sslmode=" + secret,
		"mysql, bad port":        "mysql://u:" + secret + "@h:port/d",
		"mysql, bad parameter":   "mysql://u:" + secret + "@h/d?timeout=" + secret,
		"mysql, driver's form":   "u:" + secret + "@tcp(h:1)d",
		"nobody listens":         "postgres://u:" + secret + "@127.0.0.1:1/d?sslmode=disable",
		"nobody listens (mysql)": "mysql://u:" + secret + "@127.0.0.1:1/d",
		"wrong password":         wrong.String(),
		"sqlite, bad parameter":  "sqlite:x.db?a=%zz" + secret,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		db, err := sqlstore.OpenDB(ctx, dsn, sqlstore.Options{})
		cancel()
		if err == nil {
			db.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error holds the password: %v", name, err)
		}
	}
}

// TestOpenTakesCredentialsApart keeps the password out of the DSN.
func TestOpenTakesCredentialsApart(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		dsn := d.fresh(t)
		bare := strings.Replace(dsn, "onceberg-secret", "wrong", 1)
		if bare == dsn {
			t.Fatalf("%s: the DSN is not one of a server started here", d.name)
		}
		if _, err := sqlstore.Open(t.Context(), bare, sqlstore.Options{}); err == nil {
			t.Fatalf("%s: opened with a wrong password", d.name)
		}
		s, err := sqlstore.Open(t.Context(), bare, sqlstore.Options{User: "onceberg", Password: "onceberg-secret"})
		if err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
		s.Close()
	}
	if _, err := sqlstore.Open(t.Context(), ":memory:", sqlstore.Options{Password: "x"}); err == nil {
		t.Error("SQLite takes a password")
	}
}

func TestMySQLForms(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{
		"mysql://us%40er:p%2Fw%3A@db.example:3307/cat?readTimeout=7s",
		"mariadb://us%40er:p%2Fw%3A@db.example:3307/cat?readTimeout=7s",
		"us@er:p/w:@tcp(db.example:3307)/cat?readTimeout=7s",
	} {
		config, err := sqlstore.MySQLConfig(dsn)
		if err != nil {
			t.Fatalf("%s: %v", dsn, err)
		}
		if config.User != "us@er" || config.Passwd != "p/w:" || config.Addr != "db.example:3307" || config.DBName != "cat" {
			t.Errorf("%s: user %q, password %q, address %q, database %q", dsn, config.User, config.Passwd, config.Addr, config.DBName)
		}
		if config.ReadTimeout != 7*time.Second || config.Timeout == 0 || config.WriteTimeout == 0 {
			t.Errorf("%s: timeouts %v, %v, %v", dsn, config.Timeout, config.ReadTimeout, config.WriteTimeout)
		}
	}
}

// TestSQLiteNames is case D4 as far as the DSN goes: every connection waits for
// a lock, and a transaction takes it at the beginning.
func TestSQLiteNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dsn, driver string
		writing     bool
		path        string
		has, hasNot []string
	}{
		{
			"sqlite:/var/lib/a b.db", "sqlite", true, "file:/var/lib/a b.db",
			[]string{"_pragma=busy_timeout(1000)", "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)", "_txlock=immediate"},
			nil,
		},
		{
			"sqlite:/var/lib/x.db", "sqlite", false, "file:/var/lib/x.db",
			[]string{"_pragma=busy_timeout(1000)", "_pragma=query_only(1)"},
			[]string{"_txlock", "journal_mode"},
		},
		{
			"file:x.db?_pragma=busy_timeout(9)&cache=private", "sqlite", true, "file:x.db",
			[]string{"_pragma=busy_timeout(9)", "cache=private"},
			[]string{"busy_timeout(1000)"},
		},
		{
			"sqlite:x.db", "sqlite3", true, "file:x.db",
			[]string{"_busy_timeout=1000", "_journal_mode=WAL", "_synchronous=FULL", "_txlock=immediate"},
			[]string{"_pragma"},
		},
		{":memory:", "sqlite", true, "file::memory:", []string{"_txlock=immediate"}, nil},
	} {
		access := sqlstore.Reading
		if c.writing {
			access = sqlstore.Writing
		}
		name, err := sqlstore.SQLiteName(c.dsn, c.driver, access)
		if err != nil {
			t.Fatalf("%s: %v", c.dsn, err)
		}
		path, query, _ := strings.Cut(name, "?")
		query, err = url.QueryUnescape(query)
		if err != nil {
			t.Fatal(err)
		}
		if path != c.path {
			t.Errorf("%s: path %q, want %q", c.dsn, path, c.path)
		}
		for _, want := range c.has {
			if !strings.Contains(query, want) {
				t.Errorf("%s: no %q in %q", c.dsn, want, query)
			}
		}
		for _, no := range c.hasNot {
			if strings.Contains(query, no) {
				t.Errorf("%s: %q in %q", c.dsn, no, query)
			}
		}
	}
	for _, dsn := range []string{"sqlite:", "file:", "file:?mode=ro"} {
		if _, err := sqlstore.SQLiteName(dsn, "sqlite", sqlstore.Writing); err == nil {
			t.Errorf("%q is taken for a file", dsn)
		}
	}
}

// TestDatabaseOf tells the kinds apart as OpenDB does, and connects nowhere.
func TestDatabaseOf(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]string{
		"postgres://u@h/d": "postgres", "postgresql://h/d": "postgres", "postgres:": "postgres",
		"mysql://h/d": "mysql", "mariadb://h/d": "mysql", "mysql:": "mysql", "u:p@tcp(h:1)/d": "mysql", "tcp(h)/d": "mysql",
		"sqlite:x.db": "sqlite", "sqlite:/x.db?mode=ro": "sqlite", "file:x.db": "sqlite", ":memory:": "sqlite", "file::memory:": "sqlite",
	} {
		if got, err := sqlstore.DatabaseOf(dsn); got != want || err != nil {
			t.Errorf("%q: %q, %v", dsn, got, err)
		}
	}
	for _, dsn := range []string{"", "x", "x.db", "oracle://u:p@h/d", "oracle:x", "sqlite:", "sqlite", "file:?mode=ro", ":memory:?x=y", "Postgres://h/d"} {
		if got, err := sqlstore.DatabaseOf(dsn); got != "" || !errors.As(err, new(*sqlstore.DSNError)) {
			t.Errorf("%q: %q, %v", dsn, got, err)
		}
	}
}

// TestSQLiteNamesTheFile that cannot be opened, and not what else the DSN has.
func TestSQLiteNamesTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "none", "x.db")
	_, err := sqlstore.OpenDB(t.Context(), "sqlite:"+file+"?_key=s3cret", sqlstore.Options{})
	if err == nil || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}

func TestSQLiteInMemory(t *testing.T) {
	t.Parallel()
	s := open(t, ":memory:")
	migrateNow(t, s)
	claim := newClaim()
	if got, err := s.Reserve(t.Context(), claim); err != nil || !got.Acquired {
		t.Fatalf("Reserve: %+v, %v", got, err)
	}
	if _, err := s.Load(t.Context(), claim.Key); err != nil {
		t.Fatalf("Load: %v", err)
	}
}

// TestSQLitePathWithSpecialCharacters opens a file whose name a URI would read
// otherwise.
func TestSQLitePathWithSpecialCharacters(t *testing.T) {
	t.Parallel()
	s := open(t, "sqlite:"+filepath.Join(t.TempDir(), "a b+c.db"))
	migrateNow(t, s)
	if err := s.Current(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestNewLeavesTheDatabaseOpen shares a database with its owner.
func TestNewLeavesTheDatabaseOpen(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		db, err := sqlstore.OpenDB(t.Context(), d.fresh(t), sqlstore.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		s, err := sqlstore.New(db, sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := db.PingContext(t.Context()); err != nil {
			t.Errorf("the database was closed with the store: %v", err)
		}
	})
}

func TestPoolSize(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		for set, want := range map[int]int{0: 10, 3: 3} {
			s, err := sqlstore.Open(t.Context(), d.fresh(t), sqlstore.Options{MaxPoolSize: set})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Base().Stats().MaxOpenConnections; got != want {
				t.Errorf("%s: MaxPoolSize %d opens at most %d connections, want %d", d.name, set, got, want)
			}
			s.Close()
		}
	}
}

// TestOpenObeysItsContext gives up on a server that accepts and says nothing.
func TestOpenObeysItsContext(t *testing.T) {
	t.Parallel()
	silent := silentServer(t)
	for _, dsn := range []string{
		"postgres://u:p@" + silent + "/d?sslmode=disable",
		"mysql://u:p@" + silent + "/d",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		start := time.Now()
		_, err := sqlstore.OpenDB(ctx, dsn, sqlstore.Options{})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v", dsn[:5], err)
		}
		if took := time.Since(start); took > prompt {
			t.Errorf("%s: gave up after %v", dsn[:5], took)
		}
	}
}
