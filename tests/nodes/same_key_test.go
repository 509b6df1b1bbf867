package nodes

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// The load of the tests with twins.
const (
	keys  = 200
	twins = 5
)

// TestTwins sends every key several times at once to random nodes, and each key
// gets one answer. Cases A11 and D1 over the wire.
func TestTwins(t *testing.T) {
	t.Parallel()
	for _, f := range []form{twoPhase, transactional} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, testdb.Postgres(t), nodeConfig{Form: f, WaitTimeout: patience})
			c.eachKeyExecutesOnce()
			c.refusalsAreEqualToo()
		})
	}
}

// eachKeyExecutesOnce has one of the twins execute, and all get its answer.
func (c *cluster) eachKeyExecutesOnce() {
	requests := c.mixed(keys)
	answers := c.sendTwins(requests)
	l := c.ledger()
	if l.count() != keys {
		c.t.Errorf("%d executions of %d keys", l.count(), keys)
	}
	equal := 0
	for i, r := range requests {
		if n := len(l.executions[r.key]); n != 1 {
			c.t.Errorf("%v was executed %d times", r, n)
		}
		first := 0
		for _, a := range answers[i] {
			if !a.success() || !a.equal(answers[i][0]) {
				c.t.Errorf("%v: %v beside %v", r, a, answers[i][0])
				continue
			}
			equal++
			if !a.replayed() {
				first++
			}
		}
		if first != 1 {
			c.t.Errorf("%v: %d answers are no replays", r, first)
		}
	}
	c.t.Logf("%d executions, %d equal answers", l.count(), equal)
}

// refusalsAreEqualToo does the same with requests that the backend refuses. In
// the transactional form their records share no transaction with anything.
func (c *cluster) refusalsAreEqualToo() {
	before := c.ledger().count()
	c.put(namespace("there"), table("t"))
	var requests []request
	for range 10 {
		requests = append(requests, createNamespace("there"), dropNamespace("missing"), updateTable("t", 7))
	}
	for i, answers := range c.sendTwins(requests) {
		for _, a := range answers {
			if !a.refused() || !a.equal(answers[0]) {
				c.t.Errorf("%v: %v beside %v", requests[i], a, answers[0])
			}
		}
	}
	if n := c.ledger().count() - before; n != 0 {
		c.t.Errorf("%d executions of requests that are refused", n)
	}
}

// TestWithoutGuardEveryTwinExecutes shows that the test above would notice.
func TestWithoutGuardEveryTwinExecutes(t *testing.T) {
	t.Parallel()
	c := newCluster(t, testdb.Postgres(t), nodeConfig{Form: unguarded})
	c.put(namespace("n"))
	var requests []request
	for range 20 {
		requests = append(requests, updateProperties("n"))
	}
	for i, answers := range c.sendTwins(requests) {
		for _, a := range answers[1:] {
			if a.equal(answers[0]) {
				t.Errorf("%v: two executions answer alike: %v", requests[i], a)
			}
		}
	}
	if n := c.ledger().count(); n != 20*twins {
		t.Errorf("%d executions, want %d", n, 20*twins)
	}
}

// mixed returns n requests that all can succeed, and puts the resources they
// need: creations, drops, commits to tables of their own, and changes of a few
// shared namespaces, which a second execution would not fail on.
func (c *cluster) mixed(n int) []request {
	c.t.Helper()
	requests := make([]request, n)
	need := []string{namespace("shared-0"), namespace("shared-1"), namespace("shared-2")}
	for i := range requests {
		name := fmt.Sprintf("r%d", i)
		switch i % 4 {
		case 0:
			requests[i] = createNamespace(name)
		case 1:
			requests[i] = dropNamespace(name)
			need = append(need, namespace(name))
		case 2:
			requests[i] = updateTable(name, 1)
			need = append(need, table(name))
		case 3:
			requests[i] = updateProperties(fmt.Sprintf("shared-%d", i%3))
		}
	}
	c.put(need...)
	return requests
}

// sendTwins sends each request several times at once, to random nodes; so many
// requests at a time.
func (c *cluster) sendTwins(requests []request) [][]answer {
	const atATime = 16
	c.t.Helper()
	random, _ := seeded(c.t)
	all := make([][]answer, len(requests))
	places := make(chan struct{}, atATime)
	began := time.Now()
	var running sync.WaitGroup
	for i, r := range requests {
		all[i] = make([]answer, twins)
		var nodes [twins]*node
		for j := range nodes {
			nodes[j] = c.nodes[random.IntN(len(c.nodes))]
		}
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			together(twins, func(j int) { all[i][j] = nodes[j].send(c.t.Context(), r) })
		})
	}
	running.Wait()
	c.t.Logf("%d requests in %v", len(requests)*twins, time.Since(began).Round(time.Millisecond))
	return all
}

// together runs n functions at once and waits for all.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	all.Wait()
}
