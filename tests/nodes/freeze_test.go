package nodes

import (
	"context"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// TestFrozenNode stops a node's process for longer than its leases, while
// requests of every kind have stopped in it at every point, and lets it go on
// when others have taken them over. What the zombie does then must neither count
// twice nor change an answer. Case A6 over the wire.
func TestFrozenNode(t *testing.T) {
	t.Parallel()
	for _, f := range guarded {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, testdb.Postgres(t), nodeConfig{Form: f, Lease: shortLease, WaitTimeout: 500 * time.Millisecond})
			zombie, others := c.nodes[0], [2]*node{c.nodes[1], c.nodes[2]}
			requests := c.everyKind(f, "z")
			start := c.ledger()
			answered := c.stop(zombie, requests)
			zombie.freeze()
			retried := make(chan struct{})
			go func() {
				defer close(retried)
				c.retryAll(requests, others)
			}()
			eventually(t, "the other nodes to take over", func() bool { return c.contested(f, requests) })
			zombie.thaw()
			for _, s := range requests {
				zombie.resume(s.key)
			}
			answered()
			<-retried
			c.replayAll(requests, zombie)

			after := c.ledger()
			for _, s := range requests {
				s.checkFrozen(t, f, zombie.config.Name, after.executions[s.key])
			}
			historyOf(requests).holds(t, start, after)
		})
	}
}

// contested reports whether the other nodes have done with the zombie's requests
// all that they can while it is frozen: executed those that it had not written,
// and taken over the reservations of those that it had, or run into the locks of
// its transactions, both of them.
func (c *cluster) contested(f form, requests []*stopped) bool {
	visible, takenOver, locked := 0, 0, 0
	for _, s := range requests {
		visible += s.applied(f)
		switch {
		case s.at == beforeWrite:
			visible++
			takenOver++
		case s.at != beforeAnswer:
			takenOver++
			locked += 2
		}
	}
	if c.count(`SELECT count(*) FROM executions`) != visible {
		return false
	}
	if f == transactional {
		return locked == c.count(`SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`)
	}
	return takenOver == c.count(`SELECT count(*) FROM iceberg_idempotency_key_meta WHERE attempt > 1`)
}

func (c *cluster) count(query string, args ...any) (n int) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	if err := c.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// checkFrozen holds the answers against what must become of a request whose node
// slept while others took it over.
//
// The zombie has not written: the others execute, and its own late attempt is
// refused by its own mutation, which must not reach the client. In a transaction
// it replays the winner's record. The zombie has written: it tells the truth, and
// the others know only by the hook.
func (s *stopped) checkFrozen(t *testing.T, f form, zombie string, done []execution) {
	t.Helper()
	wrote := s.at != beforeWrite
	if len(done) != 1 || (done[0].Node == zombie) != wrote {
		t.Errorf("%v, frozen %s: executions %v", s.request, s.at, done)
	}
	lost := f != transactional && !wrote
	if lost != s.first.unknown() || !lost && !s.first.success() {
		t.Errorf("%v, frozen %s: the zombie answered %v", s.request, s.at, s.first)
	}
	open := f == twoPhase && (s.at == beforeCommit || s.at == afterWrite)
	for _, a := range s.answers()[1:] {
		switch {
		case a.again():
			s.checkBusy(t, a)
		case open != a.unknown() || !open && !a.success():
			t.Errorf("%v, frozen %s: %v", s.request, s.at, a)
		}
	}
}
