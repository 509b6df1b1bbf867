package nodes

import (
	"context"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// soakTime is how long the soak runs unless NODES_SOAK says otherwise.
const soakTime = 10 * time.Second

// soakLease is shorter than a living node may be late: what the soak holds must hold
// then, too.
const soakLease = 1500 * time.Millisecond

// TestSoak runs clusters of every form side by side on one database. Clients retry
// and lose answers; requests kill their nodes at points of their way; nodes are
// killed and frozen at any time, and the database is restarted. In the end
// everything settles, and the histories are checked.
func TestSoak(t *testing.T) {
	t.Parallel()
	duration := soakTime
	if text := os.Getenv("NODES_SOAK"); text != "" {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatalf("NODES_SOAK: %v", err)
		}
	}
	_, seed := seeded(t)
	server := testdb.NewPostgres(t)
	loads := make([]*load, len(guarded))
	for i, f := range guarded {
		c := newCluster(t, server, nodeConfig{Form: f, Lease: soakLease, WaitTimeout: 500 * time.Millisecond})
		loads[i] = c.newLoad(seed+uint64(i), 0.02)
	}

	ctx, stop := context.WithTimeout(t.Context(), duration)
	defer stop()
	var running sync.WaitGroup
	for _, l := range loads {
		running.Go(func() { l.run(ctx, 1<<30) })
		running.Go(func() { l.harm(ctx) })
		for _, n := range l.nodes {
			running.Go(func() { n.keepUp(ctx) })
		}
	}
	restarts := restartDatabase(ctx, t, server, seed)
	running.Wait()
	t.Logf("%d restarts of the database", restarts)
	for _, l := range loads {
		l.each(func(n *node) { n.keepUp(ctx) })
		l.conclude()
	}
}

// restartDatabase stops or kills the database every few seconds, and starts it
// again. It returns how often it did.
func restartDatabase(ctx context.Context, t *testing.T, server *testdb.Server, seed uint64) (restarts int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1<<63))
	for ; ; restarts++ {
		pause(ctx, 4*time.Second+time.Duration(random.IntN(4000))*time.Millisecond)
		if ctx.Err() != nil {
			return restarts
		}
		if random.IntN(2) == 0 {
			server.Stop(t)
		} else {
			server.Kill(t)
		}
		server.Start(t)
	}
}

// harm kills a node every now and then, or freezes it for longer than a lease.
func (l *load) harm(ctx context.Context) {
	random := rand.New(rand.NewPCG(l.seed, 1<<62))
	for ctx.Err() == nil {
		pause(ctx, time.Duration(500+random.IntN(1500))*time.Millisecond)
		n := l.any(random)
		if random.IntN(2) == 0 {
			n.kill()
			l.kills.Add(1)
			continue
		}
		n.freeze()
		pause(ctx, soakLease*3/2)
		n.thaw()
		l.freezes.Add(1)
	}
}

// keepUp starts the node again whenever it is down, until the context ends; it
// leaves it up.
func (n *node) keepUp(ctx context.Context) {
	for {
		select {
		case <-n.alive().Done():
			if !n.start() {
				return
			}
			continue
		default:
		}
		select {
		case <-n.alive().Done():
		case <-ctx.Done():
			return
		}
	}
}

// conclude retries what no client knows the end of, until it is known or nobody
// can know it, and checks the history.
func (l *load) conclude() {
	l.t.Helper()
	f := l.nodes[0].config.Form
	if l.acknowledged.Load() == 0 {
		l.t.Errorf("%s: no client got a final answer", f)
	}
	requests := l.unsettled()
	together(len(requests), func(i int) {
		l.add(requests[i], l.retry(l.t.Context(), requests[i], l.nodes...)...)
	})
	after := l.ledger()
	unknown := 0
	for _, r := range l.unsettled() {
		// A refusal may stay one that nobody believes, and in two phases
		// without a hook so may a success.
		if f == transactional || f == reconciling && len(after.executions[r.key]) > 0 || !l.best(r).unknown() {
			l.t.Errorf("%s: %v did not settle: %v", f, r, l.best(r))
		}
		unknown++
	}
	l.holds(l.t, l.start, after)
	l.t.Logf("%s: %d mutations, %d applied, %d unknown in the end; %d attempts, %d of them unanswered; "+
		"%d kills, %d deadly attempts, %d freezes", f, len(l.mutations), after.count()-l.start.count(), unknown,
		l.attempts.Load(), l.lost.Load(), l.kills.Load(), l.deadly.Load(), l.freezes.Load())
}
