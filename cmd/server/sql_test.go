package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/internal/testdb"
)

// databases gives a fresh database of each kind.
var databases = map[string]func(*testing.T) string{
	"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "records.db") },
	"postgres": func(t *testing.T) string { return testdb.Postgres(t).Database(t) },
	"mysql":    func(t *testing.T) string { return testdb.MariaDB(t).Database(t) },
}

func sqlArgs(dsn string) []string {
	return []string{"--idempotency.enabled", inRecords, "--idempotency.sql.dsn=" + dsn}
}

// Records outlive the server, once the tables are there; in SQLite it makes them
// itself.
func TestSQLStore(t *testing.T) {
	t.Parallel()
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := sqlArgs(database(t))
			if name != "sqlite" {
				migrateRecords(t, args)
			}
			key := newKey(t)
			p := start(t, args...)
			first := p.create("a", key)
			p.becomesReady()
			if code := p.stop(); code != exitOK {
				t.Fatalf("exit code %d\n%s", code, p.stderr)
			}
			p = start(t, args...)
			second := p.create("a", key)
			if first.status != 200 || second.status != 200 || second.text != first.text || second.header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%d %s, then %d %v %s", first.status, first.text, second.status, second.header, second.text)
			}
		})
	}
}

func migrateRecords(t *testing.T, args []string) {
	t.Helper()
	if code, _, stderr := run(t, append(args, "--listen=127.0.0.1:0")...); code != exitFailure || !strings.Contains(stderr, "server migrate") {
		t.Fatalf("without tables: exit code %d\n%s", code, stderr)
	}
	for range 2 {
		if code, stdout, stderr := run(t, append([]string{"migrate"}, args...)...); code != exitOK || stdout != "the tables are up to date\n" {
			t.Fatalf("migrate: exit code %d\n%s%s", code, stdout, stderr)
		}
	}
}

// With the records in the catalog's database, tables and answers outlive the
// server, on SQLite without a migration by hand.
func TestSharedDatabase(t *testing.T) {
	t.Parallel()
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{
				"--idempotency.enabled", "--idempotency.store-type=sql", "--catalog.dsn=" + database(t),
				"--catalog.warehouse=" + t.TempDir(),
			}
			if name != "sqlite" {
				if code, _, stderr := run(t, append(args, "--listen=127.0.0.1:0")...); code != exitFailure || !strings.Contains(stderr, "server migrate") {
					t.Fatalf("without tables: exit code %d\n%s", code, stderr)
				}
				if code, _, stderr := run(t, append([]string{"migrate"}, args...)...); code != exitOK {
					t.Fatalf("migrate: exit code %d\n%s", code, stderr)
				}
			}
			p, key := start(t, args...), newKey(t)
			p.create("a", newKey(t))
			create := func() answer {
				return p.do(http.MethodPost, "/v1/namespaces/a/tables",
					`{"name":"t","schema":{"type":"struct","fields":[]}}`, "Idempotency-Key", key)
			}
			first := create()
			p.becomesReady()
			if code := p.stop(); code != exitOK {
				t.Fatalf("exit code %d\n%s", code, p.stderr)
			}
			p = start(t, args...)
			second := create()
			if first.status != 200 || second.text != first.text || second.header.Get("Idempotency-Replayed") != "true" ||
				second.header.Get("ETag") == "" || second.header.Get("ETag") != first.header.Get("ETag") {
				t.Errorf("%d %s, then %d %v %s", first.status, first.text, second.status, second.header, second.text)
			}
			if a := p.do(http.MethodGet, "/v1/namespaces/a/tables/t", ""); a.status != 200 || a.text != first.text {
				t.Errorf("%d %s", a.status, a.text)
			}
		})
	}
}

// What --print gives is not run, and names the table in that database's SQL.
func TestPrintedMigrations(t *testing.T) {
	t.Parallel()
	for dsn, word := range map[string]string{
		"postgres://u:s3cr3t@nowhere/x": "BYTEA", "mysql://u:s3cr3t@nowhere/x": "BLOB", "u:s3cr3t@tcp(nowhere)/x": "BLOB",
		"sqlite:none.db": "BLOB", ":memory:": "BLOB",
	} {
		code, stdout, stderr := run(t, "migrate", "--print", inRecords, "--idempotency.sql.dsn", dsn)
		if code != exitOK || !strings.Contains(stdout, "iceberg_idempotency_key_meta") || !strings.Contains(strings.ToUpper(stdout), word) ||
			strings.Contains(stdout, "s3cr3t") {
			t.Errorf("%s: exit code %d\n%s%s", dsn, code, stderr, stdout)
		}
	}
}

// A server whose database is gone is alive and not ready. It refuses keyed
// requests, serves all others, and recovers with the database.
func TestDatabaseOutage(t *testing.T) {
	t.Parallel()
	database := testdb.NewPostgres(t)
	args := sqlArgs(database.Database(t))
	if code, _, stderr := run(t, append([]string{"migrate"}, args...)...); code != exitOK {
		t.Fatal(stderr)
	}
	p := start(t, args...)
	database.Stop(t)
	if a := p.do(http.MethodGet, "/readyz", ""); a.status != 503 || !strings.Contains(a.text, "store") {
		t.Errorf("readyz: %d %s", a.status, a.text)
	}
	if a := p.do(http.MethodGet, "/healthz", ""); a.status != 200 {
		t.Errorf("healthz: %d %s", a.status, a.text)
	}
	if a := p.create("a", newKey(t)); a.status != 503 || a.header.Get("Retry-After") == "" {
		t.Errorf("keyed: %d %v %s", a.status, a.header, a.text)
	}
	if a := p.do(http.MethodGet, "/v1/namespaces", ""); a.status != 200 || a.text != `{"namespaces":[]}` {
		t.Errorf("a read: %d %s", a.status, a.text)
	}
	database.Start(t)
	p.becomesReady()
	if a := p.create("a", newKey(t)); a.status != 200 {
		t.Errorf("keyed afterwards: %d %s", a.status, a.text)
	}
	if log := p.stderr.String(); strings.Contains(log, "password") {
		t.Errorf("a DSN is in the log:\n%s", log)
	}
}
