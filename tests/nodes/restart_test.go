package nodes

import (
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// TestDatabaseRestarts takes the database away under nodes of every form: once in
// an orderly way, while requests have stopped at every point, and once by kill -9
// in the middle of a load. No key is executed twice, and no client is told a 4xx
// of a mutation that was applied.
func TestDatabaseRestarts(t *testing.T) {
	t.Parallel()
	server := testdb.NewPostgres(t)
	clusters := make([]*cluster, len(guarded))
	for i, f := range guarded {
		clusters[i] = newCluster(t, server, nodeConfig{Form: f, Lease: shortLease, WaitTimeout: 500 * time.Millisecond})
	}
	stopInMidFlight(t, server, clusters)
	killUnderLoad(t, server, clusters)
}

func stopInMidFlight(t *testing.T, server *testdb.Server, clusters []*cluster) {
	requests := make([][]*stopped, len(clusters))
	answered := make([]func(), len(clusters))
	starts := make([]*ledger, len(clusters))
	for i, c := range clusters {
		requests[i] = c.everyKind(guarded[i], "r")
		starts[i] = c.ledger()
		answered[i] = c.stop(c.nodes[0], requests[i])
	}
	server.Stop(t)
	for i, c := range clusters {
		for _, s := range requests[i] {
			c.nodes[0].resume(s.key)
		}
		answered[i]()
	}
	server.Start(t)
	together(len(clusters), func(i int) {
		c := clusters[i]
		c.retryAll(requests[i], [2]*node{c.nodes[1], c.nodes[2]})
		c.replayAll(requests[i], c.nodes[0])
	})
	for i, c := range clusters {
		after := c.ledger()
		for _, s := range requests[i] {
			s.checkRestarted(t, guarded[i], after.executions[s.key])
		}
		historyOf(requests[i]).holds(t, starts[i], after)
	}
}

// checkRestarted holds the answers against what must become of a request that was
// at its point when the database went away. What was not committed is gone, and
// is executed again. What was committed without its record is answered as it is;
// afterwards the node may or may not be in time to record it.
func (s *stopped) checkRestarted(t *testing.T, f form, done []execution) {
	t.Helper()
	applied := s.applied(f) == 1
	if len(done) != 1 || applied != s.first.success() || s.first.err != nil {
		t.Errorf("%s: %v, at %s when the database stopped: %v, executions %v", f, s.request, s.at, s.first, done)
	}
	open := f == twoPhase && s.at == afterWrite
	for _, a := range s.answers()[1:] {
		if !a.again() && !a.success() && !(open && a.unknown()) {
			t.Errorf("%s: %v, at %s when the database stopped: %v", f, s.request, s.at, a)
		}
	}
	if !s.replay.replayed() && !open {
		t.Errorf("%s: %v, at %s when the database stopped: %v in the end", f, s.request, s.at, s.replay)
	}
}

func killUnderLoad(t *testing.T, server *testdb.Server, clusters []*cluster) {
	_, seed := seeded(t)
	loads := make([]*load, len(clusters))
	ended := make(chan struct{})
	for i, c := range clusters {
		loads[i] = c.newLoad(seed, 0)
	}
	go func() {
		defer close(ended)
		together(len(loads), func(i int) { loads[i].run(t.Context(), 15) })
	}()
	eventually(t, "the load to be on its way", func() bool {
		for _, l := range loads {
			if l.acknowledged.Load() < 10 {
				return false
			}
		}
		return true
	})
	server.Kill(t)
	server.Start(t)
	<-ended
	for _, l := range loads {
		l.conclude()
	}
}
