package chaos

import (
	"context"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// form is how the servers keep the promise.
type form string

const (
	transactional form = "transactional"
	twoPhase      form = "two-phase"
	// inMemory promises nothing when a node dies. It is there to be caught, with
	// one node, since several with a memory each would fail without any chaos.
	inMemory form = "memory"
)

// lease is short, so that a retry need not wait long for a dead node's
// reservation, and long enough for a busy machine to renew it.
const lease = 5 * time.Second

// clocks of the nodes; the last one goes to and fro.
var clocks = []string{"90s", "-90s", "45s,-45s/3s"}

// cluster is a database, some nodes, and where they keep their files.
type cluster struct {
	t         *testing.T
	form      form
	server    *testdb.Server
	catalog   *bun.DB
	records   *bun.DB // nil in memory
	nodes     []*node
	warehouse string
}

// newCluster migrates fresh databases, has the catalog's changes noted, and starts
// the nodes.
func newCluster(t *testing.T, f form, server *testdb.Server) *cluster {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, form: f, server: server, warehouse: t.TempDir()}
	dsn := server.Database(t)
	args := []string{
		"--catalog.dsn", dsn, "--catalog.warehouse", "file://" + c.warehouse, "--data-folder", c.warehouse,
		"--idempotency.enabled", "--idempotency.wait-timeout", "PT1S", "--log.level", "warn",
	}
	c.catalog = c.open(dsn)
	names, skews := []string{"a", "b", "c"}, clocks
	switch f {
	case transactional:
		c.records = c.catalog
		args = append(args, "--idempotency.store-type", "sql")
	case twoPhase:
		own := server.Database(t)
		c.records = c.open(own)
		args = append(args, "--idempotency.store-type", "sql", "--idempotency.sql.dsn", own, "--idempotency.lease", "PT5S")
	case inMemory:
		// A clock that is behind lets no key look older than the process, so that the
		// server does not guess what it has forgotten.
		names, skews = names[:1], []string{"-90s"}
	}
	if out, err := exec.Command(binary, append([]string{"migrate"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("migrate: %v\n%s", err, out)
	}
	c.watch()
	for i, name := range names {
		n := &node{t: t, name: name, clock: skews[i], binary: binary}
		n.args = append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)
		t.Cleanup(func() { n.bury() })
		c.nodes = append(c.nodes, n)
	}
	c.startAll(t.Context())
	return c
}

func (c *cluster) open(dsn string) *bun.DB {
	c.t.Helper()
	db, err := sqlstore.OpenDB(c.t.Context(), dsn, sqlstore.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { db.Close() })
	return db
}

// startAll brings up the nodes that are down.
func (c *cluster) startAll(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var all sync.WaitGroup
	for _, n := range c.nodes {
		if n.address() == "" {
			all.Go(func() { n.start(ctx) })
		}
	}
	all.Wait()
	for _, n := range c.nodes {
		if n.address() == "" {
			c.t.Fatalf("node %s does not come up:\n%s", n.name, n.log.String())
		}
	}
}

// bury kills the node at the end of the test. A node must not panic, whatever
// breaks; and it shows its last words if the test has failed.
func (n *node) bury() {
	n.kill()
	var said []string
	for line := range strings.Lines(n.log.String()) {
		if strings.Contains(line, "panic") {
			n.t.Errorf("node %s: %s", n.name, line)
		}
		// What a request got is in the history.
		if !strings.Contains(line, `msg="request failed"`) {
			said = append(said, line)
		}
	}
	const last = 30
	if n.t.Failed() && len(said) > 0 {
		n.t.Logf("node %s logged in the end:\n%s", n.name, strings.Join(said[max(0, len(said)-last):], ""))
	}
}
