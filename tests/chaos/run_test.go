package chaos

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/internal/testdb"
)

const (
	workers = 32
	// patience bounds everything that is waited for.
	patience = 90 * time.Second
)

// run is one time of chaos on one cluster.
type run struct {
	*cluster
	tally
	history
	seed     uint64
	duration time.Duration
	network  *http.Transport
	balancer *balancer
	faults   *faults
	url      string
	workers  []*worker
}

// newRun puts the network between the clients and the nodes.
func newRun(t *testing.T, c *cluster, seed uint64, duration time.Duration) *run {
	t.Helper()
	r := &run{cluster: c, seed: seed, duration: duration}
	r.faults = newFaults(t.Context(), seed)
	r.balancer = newBalancer(t, c.nodes, r.faults)
	behind := httptest.NewServer(r.balancer)
	proxy, err := clienttest.NewProxy(behind.URL, r.faults.choose)
	if err != nil {
		t.Fatal(err)
	}
	r.network = &http.Transport{MaxIdleConnsPerHost: workers}
	t.Cleanup(func() {
		r.network.CloseIdleConnections()
		_ = proxy.Close()
		r.balancer.close()
		behind.Close()
	})
	r.url = proxy.URL
	for id := range workers {
		w, err := r.newWorker(id, 15)
		if err != nil {
			t.Fatal(err)
		}
		r.workers = append(r.workers, w)
	}
	r.prepare()
	return r
}

// prepare creates what all share, before the chaos.
func (r *run) prepare() {
	r.t.Helper()
	r.faults.calm.Store(true)
	steps := []step{{Operation: "createNamespace", Object: common, Certain: true}}
	for i := range sharedTables {
		steps = append(steps, step{Operation: "createTable", Object: sharedTable(i), Certain: true})
	}
	for i, s := range steps {
		s.Client, s.Number = workers, i
		r.workers[0].do(r.t.Context(), r.t.Context(), s)
	}
	for _, m := range r.all() {
		if m.Outcome != acknowledged {
			r.t.Fatalf("%v was told %v", m, m.Answer)
		}
	}
	r.faults.calm.Store(false)
}

// wreak lets the clients work while everything around them breaks, and returns
// when all of it is up and quiet again.
func (r *run) wreak() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), r.duration+patience)
	defer cancel()
	over, stop := context.WithTimeout(ctx, r.duration)
	defer stop()
	var all sync.WaitGroup
	for _, w := range r.workers {
		all.Go(func() { w.work(ctx, over) })
	}
	var harm sync.WaitGroup
	harm.Go(func() { r.killNodes(ctx, over) })
	r.restartDatabase(over)
	harm.Wait()
	all.Wait()
	r.faults.calm.Store(true)
	r.balancer.late.Wait()
}

// killNodes kills any node every now and then, and starts it again.
func (r *run) killNodes(ctx, over context.Context) {
	random := rand.New(rand.NewPCG(r.seed, 1<<62))
	for {
		pause(over, time.Duration(400+random.IntN(1600))*time.Millisecond)
		if over.Err() != nil {
			return
		}
		n := r.nodes[random.IntN(len(r.nodes))]
		n.kill()
		r.kills.Add(1)
		pause(over, time.Duration(random.IntN(600))*time.Millisecond)
		n.start(ctx)
	}
}

// restartDatabase stops or kills the database now and then, and starts it again.
func (r *run) restartDatabase(over context.Context) {
	r.t.Helper()
	random := rand.New(rand.NewPCG(r.seed, 1<<63))
	for {
		pause(over, 4*time.Second+time.Duration(random.IntN(6000))*time.Millisecond)
		if over.Err() != nil {
			return
		}
		if random.IntN(2) == 0 {
			r.server.Stop(r.t)
		} else {
			r.server.Kill(r.t)
		}
		r.server.Start(r.t)
		r.restarts.Add(1)
	}
}

// conclude settles what is open, and returns what is wrong.
func (r *run) conclude() *summary {
	r.t.Helper()
	r.startAll(r.t.Context())
	stuck, unrecorded := r.settleAll()
	mutations := r.all()
	r.balancer.mu.Lock()
	for _, m := range mutations {
		m.Answers = r.balancer.notes[m.Key]
	}
	r.balancer.mu.Unlock()
	l := r.ledger()
	found, repeated := check(r.form, mutations, l)
	s := &summary{
		Form: r.form, Seed: r.seed, Duration: r.duration, Mutations: len(mutations),
		Attempts: r.attempts.Load(), Lost: r.faults.lost.Load(), Duplicates: r.faults.duplicated.Load() + r.balancer.copies.Load(),
		Kills: r.kills.Load(), Restarts: r.restarts.Load(), Conflicts: r.conflicts.Load(),
		Repeated: repeated, Unrecorded: unrecorded, Orphans: l.orphans, Violations: append(found, stuck...),
	}
	for _, m := range mutations {
		switch m.Outcome {
		case acknowledged:
			s.Acknowledged++
		case refused:
			s.Refused++
		case unknown:
			s.Unknown++
		}
	}
	return s
}

// chaos has a run on a database server of its own and returns what came of it.
func chaos(t *testing.T, f form, seed uint64, duration time.Duration) *summary {
	t.Helper()
	t.Logf("%s: CHAOS_SEED=%d", f, seed)
	r := newRun(t, newCluster(t, f, testdb.NewPostgres(t)), seed, duration)
	r.wreak()
	s := r.conclude()
	t.Log(s)
	return s
}
