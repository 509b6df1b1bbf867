//go:build interop

package interop

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

var listening = regexp.MustCompile(`listening on (http://\S+)`)

// build compiles cmd/server, once for all tests.
var build = sync.OnceValues(func() (string, error) {
	binary, err := filepath.Abs(filepath.Join(*out, "server"))
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/server")
	cmd.Dir = root
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/server: %w\n%s", err, output)
	}
	return binary, nil
})

// startOnceberg starts our own server with its catalog and its records in a
// database, and returns its URL.
func startOnceberg(t *testing.T, r run, dsn string) string {
	t.Helper()
	binary, err := build()
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
	migrate := command(t.Context(), r.dir, binary, append([]string{"migrate"}, settings...)...)
	if err := finish(migrate, filepath.Join(r.dir, "migrate.log")); err != nil {
		t.Fatal(err)
	}
	p := launch(t, r.dir, "server", nil, binary, append([]string{"serve"}, settings...)...)
	return p.await(t, listening)
}
