package chaos

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// Without CHAOS only a glimpse of the chaos runs, with the other tests.
const glimpse = 2 * time.Second

// settings reads CHAOS, the duration of each form's run, and CHAOS_SEED.
func settings(t *testing.T) (duration time.Duration, seed uint64, long bool) {
	t.Helper()
	duration, seed = glimpse, rand.Uint64()
	var err error
	if text := os.Getenv("CHAOS"); text != "" {
		long = true
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatalf("CHAOS: %v", err)
		}
	}
	if text := os.Getenv("CHAOS_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("CHAOS_SEED: %v", err)
		}
	}
	return duration, seed, long
}

// TestChaos keeps the promise in both forms, one after the other.
func TestChaos(t *testing.T) {
	duration, seed, long := settings(t)
	if !long {
		t.Parallel()
	}
	var all report
	for _, f := range []form{transactional, twoPhase} {
		t.Run(string(f), func(t *testing.T) {
			if !long {
				t.Parallel()
			}
			s := chaos(t, f, seed, duration)
			s.holds(t)
			all.add(s)
		})
	}
	if long {
		if err := all.write("../../bin/chaos.md"); err != nil {
			t.Error(err)
		}
	}
}

// TestMemoryIsCaught kills the only node of a catalog that keeps its records in
// memory. What it has forgotten it executes again, and the checker must see that:
// one that sees nothing proves nothing.
func TestMemoryIsCaught(t *testing.T) {
	_, seed, long := settings(t)
	if !long {
		t.Parallel()
	}
	const runs = 20 // a node may happen to die when there is nothing to forget, and seldom on a busy machine
	for i := range uint64(runs) {
		s := chaos(t, inMemory, seed+i, 5*time.Second)
		for _, v := range s.Violations[:min(len(s.Violations), 3)] {
			t.Logf("caught: %v", v)
		}
		if s.count(doubled, falselyFailed) > 0 {
			return
		}
	}
	t.Errorf("seed %d: nothing was found that the node forgot in %d runs", seed, runs)
}
