package nodes

import (
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// shortLease is how long the tests wait for a dead node's reservations. A node that
// lives renews them after a third of that, and has the rest to be late.
const shortLease = 4 * time.Second

// TestKillInMidFlight kills each node in turn, with kill -9, while requests of
// every kind have stopped in it at every point. Clients retry at the other nodes,
// two at once, and in the end at the node that died. Case A5.
func TestKillInMidFlight(t *testing.T) {
	t.Parallel()
	for _, f := range guarded {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, testdb.Postgres(t), nodeConfig{Form: f, Lease: shortLease, WaitTimeout: 500 * time.Millisecond})
			for i, victim := range c.nodes {
				c.killInMidFlight(f, victim, [2]*node{c.nodes[(i+1)%3], c.nodes[(i+2)%3]})
			}
		})
	}
}

func (c *cluster) killInMidFlight(f form, victim *node, others [2]*node) {
	requests := c.everyKind(f, victim.config.Name)
	start := c.ledger()
	answered := c.stop(victim, requests)
	before := c.ledger()
	victim.kill()
	answered()
	c.retryAll(requests, others)
	victim.start()
	c.replayAll(requests, victim)

	after := c.ledger()
	for _, s := range requests {
		if s.first.err == nil {
			c.t.Errorf("%v at %s: killed before its answer, it answered %v", s.request, s.at, s.first)
		}
		if n := len(before.executions[s.key]); n != s.applied(f) {
			c.t.Errorf("%v at %s: %d executions before the kill, want %d", s.request, s.at, n, s.applied(f))
		}
		s.checkKilled(c.t, f, victim.config.Name, after.executions[s.key])
	}
	historyOf(requests).holds(c.t, start, after)
}

// checkKilled holds the answers against what must become of a request that died
// at its point. Only one ending is left open, by a node that committed the
// mutation and not its record, without a hook that could tell.
func (s *stopped) checkKilled(t *testing.T, f form, victim string, done []execution) {
	t.Helper()
	if len(done) != 1 || (done[0].Node == victim) != (s.applied(f) == 1) {
		t.Errorf("%v, died %s on %s: executions %v", s.request, s.at, victim, done)
	}
	lost := f == twoPhase && s.at == afterWrite
	for _, a := range s.answers()[1:] {
		want := ""
		switch {
		case a.again():
			s.checkBusy(t, a)
		case lost && !a.unknown():
			want = "500 CommitStateUnknownException"
		case !lost && !a.success():
			want = "a success"
		case s.at == beforeAnswer && !a.replayed():
			want = "a replay"
		}
		if want != "" {
			t.Errorf("%v, died %s on %s: %v; want %s", s.request, s.at, victim, a, want)
		}
	}
	if !lost && !s.replay.replayed() {
		t.Errorf("%v, died %s on %s: %v in the end; want a replay", s.request, s.at, victim, s.replay)
	}
}
