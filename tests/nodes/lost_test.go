package nodes

import (
	"context"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// TestLostAnswers cuts a node's connection at the commit of a mutation, before the
// database hears of it, and before the node hears the answer. The node cannot
// tell the one from the other by itself. Case A1. Then clients hang up on their
// nodes. Case A18.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for _, f := range guarded {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			server := testdb.Postgres(t)
			var proxy *testdb.Proxy
			c := newCluster(t, server, nodeConfig{Form: f, Lease: shortLease, WaitTimeout: 2 * time.Second},
				func(i int, config *nodeConfig) {
					if i == 0 {
						proxy, config.DSN = server.Proxy(t, config.DSN)
					}
				})
			c.loseCommit(f, "request", proxy.LoseRequest, false)
			c.loseCommit(f, "answer", proxy.LoseAnswer, true)
			c.loseClients(f)
		})
	}
}

// loseCommit sends one request of every kind to the node behind the proxy, each
// with its commit lost, and retries it at all nodes.
func (c *cluster) loseCommit(f form, name string, lose func(string) <-chan struct{}, applied bool) {
	c.put(namespace("old-"+name), table(name))
	requests := []request{createNamespace(name), dropNamespace("old-" + name), updateTable(name, 1)}
	start, h := c.ledger(), &history{}
	for _, r := range requests {
		sprung := lose("COMMIT")
		first := c.nodes[0].send(c.t.Context(), r)
		<-sprung
		retries := c.retry(c.t.Context(), r, c.nodes[1])
		replay := last(c.retry(c.t.Context(), r, c.nodes...))
		h.add(r, append(append(retries, first), replay)...)

		// The store finds out by itself what became of its own commit. That of
		// the backend's it cannot know.
		if first.success() != (f == transactional) || first.refused() {
			c.t.Errorf("%v, its %s lost: %v", r, name, first)
		}
		open := f == twoPhase && applied
		if a := last(retries); open != a.unknown() || open == a.success() {
			c.t.Errorf("%v, its %s lost: %v after %v", r, name, a, first)
		}
		if open == replay.replayed() {
			c.t.Errorf("%v, its %s lost: %v in the end", r, name, replay)
		}
	}
	after := c.ledger()
	for _, r := range requests {
		if n := len(after.executions[r.key]); n != 1 {
			c.t.Errorf("%v, its %s lost: %d executions", r, name, n)
		}
	}
	h.holds(c.t, start, after)
}

// loseClients lets clients hang up while their requests have stopped at every
// point. The node goes on with them and records what comes of it.
func (c *cluster) loseClients(f form) {
	requests := c.everyKind(f, "left")
	start := c.ledger()
	ctx, hangUp := context.WithCancel(c.t.Context())
	defer hangUp()
	answered := c.stopIn(ctx, c.nodes[0], requests)
	hangUp()
	answered()
	for _, s := range requests {
		c.nodes[0].resume(s.key)
	}
	eventually(c.t, "the node to execute them without their clients", func() bool {
		return c.ledger().count() == start.count()+len(requests)
	})
	c.retryAll(requests, [2]*node{c.nodes[1], c.nodes[2]})
	c.replayAll(requests, c.nodes[0])
	after := c.ledger()
	for _, s := range requests {
		done := after.executions[s.key]
		if s.first.err == nil || len(done) != 1 || done[0].Node != c.nodes[0].config.Name {
			c.t.Errorf("%v, left %s: %v, executions %v", s.request, s.at, s.first, done)
		}
		for _, a := range s.answers()[1:] {
			if !a.again() && !(a.success() && a.replayed()) {
				c.t.Errorf("%v, left %s: %v", s.request, s.at, a)
			}
		}
	}
	historyOf(requests).holds(c.t, start, after)
}
