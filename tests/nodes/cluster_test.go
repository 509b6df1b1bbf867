package nodes

import (
	"context"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/internal/testproc"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// patience bounds everything that a test waits for.
const patience = 60 * time.Second

// cluster is some nodes on one database.
type cluster struct {
	t      *testing.T
	db     *bun.DB
	nodes  []*node
	client *http.Client
}

// node is a process that can be killed and started again, on another port then.
type node struct {
	t      *testing.T
	config nodeConfig
	client *http.Client
	log    *testproc.Log

	mu   sync.Mutex
	life *process
}

// newCluster starts three nodes on a database of their own, all alike but for
// what configure changes. They are killed at the end of the test.
func newCluster(t *testing.T, server *testdb.Server, config nodeConfig, configure ...func(i int, config *nodeConfig)) *cluster {
	t.Helper()
	config.DSN = server.Database(t)
	db, err := sqlstore.OpenDB(t.Context(), config.DSN, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, model := range []any{(*resource)(nil), (*execution)(nil)} {
		if _, err := db.NewCreateTable().Model(model).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	// One connection for each request, so that net/http has none to find broken
	// and resends nothing by itself.
	network := specwatch.Transport(t, &http.Transport{DisableKeepAlives: true})
	c := &cluster{t: t, db: db, client: &http.Client{Transport: network}}
	for i, name := range []string{"a", "b", "c"} {
		own := config
		own.Name = name
		own.DSN += "&application_name=" + name
		for _, f := range configure {
			f(i, &own)
		}
		c.nodes = append(c.nodes, &node{t: t, config: own, client: c.client, log: &testproc.Log{}})
	}
	c.each(func(n *node) { n.start() })
	return c
}

// each does something with all nodes at once.
func (c *cluster) each(do func(*node)) {
	var all sync.WaitGroup
	for _, n := range c.nodes {
		all.Go(func() { do(n) })
	}
	all.Wait()
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// start brings a node up that is down, and fails the test if it cannot. It may be
// called from any goroutine of the test.
func (n *node) start() (up bool) {
	p, err := launch(n.config, n.log)
	if err != nil {
		n.t.Error(err)
		return false
	}
	n.t.Cleanup(func() { n.bury(p) })
	ctx, cancel := context.WithTimeout(n.t.Context(), patience)
	defer cancel()
	if err := p.started(ctx); err != nil {
		n.t.Errorf("node %s: %v", n.config.Name, err)
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.life = p
	return true
}

// bury ends one life of the node at the end of the test, if it has not ended
// before, and shows what the node logged if the test has failed.
func (n *node) bury(p *process) {
	if err := p.Kill(); err != nil {
		n.t.Errorf("node %s: %v", n.config.Name, err)
	}
	if log := n.log.Take(); n.t.Failed() && log != "" {
		n.t.Logf("node %s logged:\n%s", n.config.Name, log)
	}
}

// alive returns the node's process, which may have died by now.
func (n *node) alive() *process {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.life
}

func (n *node) kill() {
	if err := n.alive().Kill(); err != nil {
		n.t.Errorf("node %s: %v", n.config.Name, err)
	}
}

// freeze stops the node's process in the middle of whatever it does.
func (n *node) freeze() { n.signal(syscall.SIGSTOP) }

// thaw lets a frozen process go on.
func (n *node) thaw() { n.signal(syscall.SIGCONT) }

func (n *node) signal(sig syscall.Signal) {
	if err := n.alive().Signal(sig); err != nil {
		n.t.Errorf("node %s: %v", n.config.Name, err)
	}
}

// reached waits until a request with the key has stopped at the point.
func (n *node) reached(at point, key string) {
	n.t.Helper()
	p := n.alive()
	select {
	case <-p.at(string(at) + " " + key):
	case <-p.Done():
		n.t.Fatalf("node %s died before %s reached %s", n.config.Name, key, at)
	case <-time.After(patience):
		n.t.Fatalf("node %s: %s did not reach %s", n.config.Name, key, at)
	}
}

// resume lets a request go on that has stopped.
func (n *node) resume(key string) {
	n.t.Helper()
	if _, err := n.alive().in.Write([]byte(hearsResume + " " + key + "\n")); err != nil {
		n.t.Fatal(err)
	}
}
