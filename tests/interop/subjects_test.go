//go:build interop

package interop

import (
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/internal/testdb"
)

// server is a server that runs.
type server struct {
	url string
	// hold blocks it in whatever changes the catalog; nil where nobody can.
	hold holder
}

// subject is a kind of server to test.
type subject struct {
	name string
	// start starts a fresh one that ends with the test.
	start func(*testing.T, run) server
	// dots says whether names may have dots in them.
	dots bool
	// advertise is a lifetime of keys that the server keeps quiet about.
	advertise string
	// inProgress is what a retry is answered while the first attempt runs: a
	// status, or "wait" for nothing until it has ended. Empty where nobody can
	// make it run for long.
	inProgress string
	// logins says whether it can be told who its callers are.
	logins bool
	// differs has the tests that are known to fail, by suite, with the reason.
	differs map[string]map[string]string
}

// warehouse is the name that clients ask for.
const warehouse = "warehouse"

func subjects() []subject {
	if *given != "" {
		return []subject{{name: "given", dots: true, start: func(*testing.T, run) server { return server{url: *given} }}}
	}
	return []subject{
		{name: "sqlite", dots: true, inProgress: "503", logins: true, start: onSQLite},
		{name: "postgres", dots: true, inProgress: "503", logins: true, start: onPostgres},
		apache,
	}
}

func onSQLite(t *testing.T, r run) server {
	file := filepath.Join(t.TempDir(), "catalog.db")
	return server{url: startOnceberg(t, r, "sqlite:"+file), hold: holdSQLite(file)}
}

func onPostgres(t *testing.T, r run) server {
	dsn := testdb.Postgres(t).Database(t)
	return server{url: startOnceberg(t, r, dsn), hold: holdPostgres(dsn)}
}
