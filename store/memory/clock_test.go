package memory_test

import (
	"errors"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// TestClockStepsBack is case D8: a clock that is set back ends no lease early,
// makes no record vanish, and a key can still be used.
func TestClockStepsBack(t *testing.T) {
	t.Parallel()
	clock := newClock()
	s := open(t, memory.Options{Clock: clock.Now})
	executeKey(t, s, "final")
	reserve(t, s, "running")
	clock.Advance(-90 * time.Second)
	for _, key := range []string{"final", "running"} {
		claim := claimOn(key)
		claim.Token = store.NewToken()
		if got, err := s.Reserve(t.Context(), claim); err != nil || got.Existing == nil {
			t.Fatalf("Reserve(%s): %+v, %v", key, got, err)
		}
	}
	if n, err := s.PurgeExpired(t.Context(), 10); n != 0 || err != nil {
		t.Fatalf("PurgeExpired: %d, %v", n, err)
	}
	executeKey(t, s, "new")
	finalize(t, s, "running")
}

// TestOnlyTheInjectedClock is the other half of case D8: with the clock standing
// still nothing lapses, however long the test takes.
func TestOnlyTheInjectedClock(t *testing.T) {
	t.Parallel()
	clock := newClock()
	s := open(t, memory.Options{Clock: clock.Now})
	claim := claimOn("key")
	claim.Lease, claim.Retain = time.Nanosecond, time.Nanosecond
	if _, err := s.Reserve(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(t.Context(), "key"); err != nil {
		t.Fatalf("Load before the clock moved: %v", err)
	}
	clock.Advance(time.Nanosecond)
	if _, err := s.Load(t.Context(), "key"); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("Load after the clock moved: %v, want %v", err, store.ErrNotFound)
	}
}

// TestImpossibleOutcome keeps out what could not be given back.
func TestImpossibleOutcome(t *testing.T) {
	t.Parallel()
	s := open(t, memory.Options{})
	reserve(t, s, "key")
	for name, spoil := range map[string]func(*store.Outcome){
		"status 99":    func(o *store.Outcome) { o.Status = 99 },
		"status 600":   func(o *store.Outcome) { o.Status = 600 },
		"no kind":      func(o *store.Outcome) { o.Kind = "" },
		"unknown kind": func(o *store.Outcome) { o.Kind = "gzip" },
	} {
		o := outcome()
		spoil(&o)
		err := s.Finalize(t.Context(), "key", claimOn("key").Token, o, time.Hour)
		if !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: %v, want %v", name, err, store.ErrCorrupt)
		}
	}
	finalize(t, s, "key")
}
