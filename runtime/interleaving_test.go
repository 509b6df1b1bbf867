package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

// world is two nodes on one store, and a catalog in which each key may be
// applied once.
type world struct {
	mu      sync.Mutex
	random  *rand.Rand
	applied map[string]int
	refused map[string]int
	final   map[string]map[string]bool
	// running counts the executions of a key at this moment.
	running map[string]int
	// zombies is true when leases may be lost, so that two may run at once.
	zombies bool
	faults  []string
}

func (w *world) chance(percent int) bool { return w.random.IntN(100) < percent }

func (w *world) fault(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// handle is a mutation that succeeds the first time it gets through, and
// conflicts with itself ever after. It may fail before or after it is applied,
// and take longer than a lease.
func (w *world) handle(c echo.Context) error {
	key := runtime.Key(c.Request().Context())
	w.mu.Lock()
	if w.running[key]++; w.running[key] > 1 && !w.zombies {
		w.fault("%s runs twice at once", key)
	}
	pause := time.Duration(w.random.IntN(3000)) * time.Millisecond
	w.mu.Unlock()
	time.Sleep(pause) //nolint:forbidigo // the bubble's time, not ours
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { w.running[key]-- }()
	if w.chance(20) {
		return runtime.Errorf(503, "", "not now")
	}
	if w.chance(10) {
		panic("before the commit")
	}
	if w.applied[key] > 0 {
		return runtime.Errorf(409, "CommitFailedException", "Requirement failed")
	}
	w.applied[key]++
	if w.chance(15) {
		return runtime.Errorf(500, "", "after the commit")
	}
	return c.JSONBlob(200, fmt.Appendf(nil, `{"applied":%q}`, key))
}

// note keeps what a client was told.
func (w *world) note(key string, a *answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case a.Code == 200:
		if w.final[key] == nil {
			w.final[key] = map[string]bool{}
		}
		w.final[key][a.Body.String()] = true
	case a.Code < 500:
		w.refused[key]++
	}
}

// Whatever comes together: a mutation never runs twice at once while leases hold,
// is applied at most once, all clients that get a final answer get the same one, and none is
// told that a mutation failed which was applied.
func TestInterleavings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		flaky := rapid.IntRange(0, 30).Draw(rt, "percent of store calls that fail")
		clients := rapid.IntRange(1, 12).Draw(rt, "clients")
		keys := rapid.IntRange(1, 3).Draw(rt, "keys")
		// With the short lease, renewals that fail make zombies.
		lease := rapid.SampledFrom([]time.Duration{30 * time.Second, 500 * time.Millisecond}).Draw(rt, "lease")
		var faults []string
		synctest.Test(t, func(t *testing.T) { faults = interleave(t, seed, flaky, clients, keys, lease) })
		for _, fault := range faults {
			rt.Error(fault)
		}
	})
}

func interleave(t *testing.T, seed uint64, flaky, clients, keys int, lease time.Duration) []string {
	w := &world{
		random:  rand.New(rand.NewPCG(seed, 0)),
		applied: map[string]int{}, refused: map[string]int{}, running: map[string]int{}, final: map[string]map[string]bool{},
	}
	w.zombies = lease < time.Second
	shared := newMemory(t)
	var nodes []*desk
	for range 2 {
		nodes = append(nodes, newDeskOn(t, w.flakyStore(shared, flaky), w.handle, func(cfg *runtime.Config) { cfg.Lease = lease }))
	}
	names := make([]string, keys)
	for i := range names {
		names[i] = newKey()
	}
	var wait sync.WaitGroup
	for i := range clients {
		wait.Go(func() { w.client(nodes, names[i%keys], i) })
	}
	wait.Wait()
	for _, key := range names {
		switch {
		case w.applied[key] > 1:
			w.fault("%s was applied %d times", key, w.applied[key])
		case len(w.final[key]) > 1:
			w.fault("%s was answered in different ways: %v", key, w.final[key])
		case len(w.final[key]) == 1 && w.applied[key] == 0:
			w.fault("%s was answered by a success and not applied", key)
		case w.refused[key] > 0 && w.applied[key] > 0:
			w.fault("%s was applied and its client told that it failed", key)
		}
	}
	return w.faults
}

// client sends a request until it gets a final answer, as clients do.
func (w *world) client(nodes []*desk, key string, seed int) {
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	for range 12 {
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond) //nolint:forbidigo // the bubble's time, not ours
		a := nodes[random.IntN(len(nodes))].send(request{path: tableT, key: key})
		w.note(key, a)
		if a.Code == 200 {
			return
		}
	}
}

// flakyStore loses some of its calls on the way there, and some on the way back.
func (w *world) flakyStore(s store.Store, percent int) *faultyStore {
	lose := func(int64) (error, bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.chance(percent) {
			return errDown, w.chance(50)
		}
		return nil, false
	}
	return &faultyStore{Store: s, reserve: lose, finalize: lose, release: lose, renew: lose, load: lose}
}
