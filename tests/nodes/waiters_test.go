package nodes

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// duplicates is how many requests wait for one in case A13.
const duplicates = 200

// TestWaitersHoldNothing holds a request back and sends its duplicates to all
// nodes. While they wait, they hold no connection of the pool, and neither reads
// nor other keyed writes notice them; those whose clients leave are gone at once.
// Case A13.
func TestWaitersHoldNothing(t *testing.T) {
	t.Parallel()
	for _, f := range []form{twoPhase, transactional} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, testdb.Postgres(t), nodeConfig{Form: f, WaitTimeout: 2 * patience})
			c.put(table("t"))
			held := &stopped{request: createNamespace("held"), at: afterWrite}
			answered := c.stop(c.nodes[0], []*stopped{held})

			leave, left := context.WithCancel(t.Context())
			defer left()
			waited := c.sendDuplicates(leave, held.request)
			// All but those that ask for their nodes: one on each of the others.
			eventually(t, "the duplicates to wait", func() bool { return c.waiting() >= duplicates-2 })
			c.holdNothing()
			c.othersAreUnaffected()
			left()
			eventually(t, "half of them to leave", func() bool { return c.waiting() <= duplicates/2 })
			c.holdNothing()

			c.nodes[0].resume(held.key)
			answered()
			staying := 0
			for _, a := range waited() {
				if a.err != nil {
					continue
				}
				if staying++; !a.equal(held.first) || !a.replayed() {
					t.Errorf("%v beside %v", a, held.first)
				}
			}
			if staying != duplicates/2 || !held.first.success() {
				t.Errorf("%d of the duplicates were answered; the first: %v", staying, held.first)
			}
			if n := len(c.ledger().executions[held.key]); n != 1 {
				t.Errorf("%d executions", n)
			}
		})
	}
}

// sendDuplicates sends a request again and again to all nodes. Every second
// client leaves when its context ends. waited returns the answers.
func (c *cluster) sendDuplicates(leaving context.Context, r request) (waited func() []answer) {
	answers := make([]answer, duplicates)
	var all sync.WaitGroup
	for i := range answers {
		ctx := leaving
		if i%2 == 0 {
			ctx = c.t.Context()
		}
		all.Go(func() { answers[i] = c.nodes[i%3].send(ctx, r) })
	}
	return func() []answer {
		all.Wait()
		return answers
	}
}

// waiting returns how many requests wait in all nodes.
func (c *cluster) waiting() (sum int) {
	c.t.Helper()
	for _, n := range c.nodes {
		sum += n.ask(waitingPath)
	}
	return sum
}

// ask reads a number that a node tells.
func (n *node) ask(path string) int {
	n.t.Helper()
	a := n.send(n.t.Context(), request{method: http.MethodGet, path: path})
	number, err := strconv.Atoi(a.body)
	if err != nil {
		n.t.Fatalf("%v: %v", a, err)
	}
	return number
}

// quickestPoll is the shortest pause that the guard makes, once it has waited for
// a while, before it asks the store again for a key.
const quickestPoll = 125 * time.Millisecond

// holdNothing looks for a while at what the nodes do in the database. Each may
// have one connection in use for the key, in the transaction of the request that
// is held, in one that waits for it, or to ask for its record; and for a moment a
// second one, when the request that asked is gone and another asks. However many
// wait, one asks.
func (c *cluster) holdNothing() {
	c.t.Helper()
	began := time.Now()
	var before [3]int
	for i, n := range c.nodes {
		before[i] = n.ask(callsPath)
	}
	for range 25 {
		for _, n := range c.nodes {
			// Those of waiters that left end when the database finds time for them.
			eventually(c.t, fmt.Sprintf("node %s to use no more than 2 connections while %d requests wait", n.config.Name, duplicates),
				func() bool { return c.busy(n) <= 2 })
		}
		pause(c.t.Context(), 10*time.Millisecond)
	}
	for i, n := range c.nodes {
		calls := n.ask(callsPath) - before[i]
		// Some more are allowed to whoever has just begun to wait, or taken the lead.
		if most := int(time.Since(began)/quickestPoll) + 10; calls > most {
			c.t.Errorf("node %s asked the store %d times for one key; want at most %d", n.config.Name, calls, most)
		}
	}
}

// busy returns how many connections of a node are in use.
func (c *cluster) busy(n *node) int {
	c.t.Helper()
	return c.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND application_name = ? AND state <> 'idle'`, n.config.Name)
}

// othersAreUnaffected wants reads and other keyed writes to end in good time on
// all nodes, long before anything that waits would.
func (c *cluster) othersAreUnaffected() {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	var requests []request
	for i := range 10 {
		requests = append(requests,
			createNamespace(fmt.Sprintf("other-%d", i)),
			request{operation: "getConfig", method: http.MethodGet, path: "/v1/config"},
			request{operation: "loadTable", method: http.MethodGet, path: "/v1/namespaces/ns/tables/t"})
	}
	began := time.Now()
	together(len(requests), func(i int) {
		if a := c.nodes[i/3%3].send(ctx, requests[i]); !a.success() {
			c.t.Errorf("%v: %v", requests[i], a)
		}
	})
	c.t.Logf("20 reads and 10 writes in %v beside %d waiters", time.Since(began).Round(time.Millisecond), duplicates)
}
