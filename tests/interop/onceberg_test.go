//go:build interop

package interop

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/internal/testproc"
)

var listening = regexp.MustCompile(`listening on (http://\S+)`)

var buildServer = testproc.Program("server")

// startOnceberg starts our own server with its catalog and its records in a
// database, and returns its URL. Whatever its clients send and get is held against
// the specification.
func startOnceberg(t *testing.T, r run, dsn string) string {
	t.Helper()
	binary, err := buildServer()
	if err != nil {
		t.Fatal(err)
	}
	settings := []string{
		"--listen", "127.0.0.1:0",
		"--catalog.dsn", dsn,
		"--catalog.warehouse", "file://" + t.TempDir(),
		"--catalog.warehouses", warehouse,
		"--catalog.locations", "*", // the suites ask for tables in folders of their own
		"--idempotency.enabled",
		"--idempotency.store-type", "sql",
		// A retry is told to come back sooner than by default: the story does not
		// need two seconds.
		"--idempotency.wait-timeout", "PT0.5S",
	}
	settings = append(settings, r.settings...)
	migrate := command(t.Context(), r.dir, binary, append([]string{"migrate"}, settings...)...)
	if err := finish(migrate, filepath.Join(r.dir, "migrate.log")); err != nil {
		t.Fatal(err)
	}
	p := launch(t, r.dir, "server", nil, binary, append([]string{"serve"}, settings...)...)
	return specwatch.Front(t, p.await(t, listening))
}
