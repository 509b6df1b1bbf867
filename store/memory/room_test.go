package memory_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// TestThirdRequestInFlight is the second half of case A6: with room for two and
// three requests in flight, the third is refused and the others keep their keys.
func TestThirdRequestInFlight(t *testing.T) {
	t.Parallel()
	for _, whenFull := range []memory.WhenFull{memory.Evict, memory.Refuse} {
		t.Run(string(whenFull), func(t *testing.T) {
			t.Parallel()
			s := open(t, memory.Options{MaxEntries: 2, WhenFull: whenFull})
			reserve(t, s, "one")
			reserve(t, s, "two")
			if _, err := s.Reserve(t.Context(), claimOn("three")); !errors.Is(err, store.ErrFull) {
				t.Fatalf("Reserve: %v, want %v", err, store.ErrFull)
			}
			finalize(t, s, "one")
			finalize(t, s, "two")
			if n := s.Evictions(); n != 0 {
				t.Fatalf("%d evictions, want none", n)
			}
		})
	}
}

func TestEvictMakesRoom(t *testing.T) {
	t.Parallel()
	var reports []string
	s := open(t, memory.Options{MaxEntries: 2, OnEvict: func(count int, cause memory.Cause) {
		reports = append(reports, fmt.Sprint(count, " ", cause))
	}})
	executeKey(t, s, "final")
	reserve(t, s, "running")
	reserve(t, s, "new")
	if _, err := s.Load(t.Context(), "final"); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("Load: %v, want %v", err, store.ErrNotFound)
	}
	for _, key := range []string{"running", "new"} {
		if _, err := s.Load(t.Context(), key); err != nil {
			t.Fatalf("Load(%s): %v", key, err)
		}
	}
	if s.Evictions() != 1 || len(reports) != 1 || reports[0] != "1 capacity" {
		t.Fatalf("%d evictions, reported %q", s.Evictions(), reports)
	}
}

func TestRefuseKeepsLiveRecords(t *testing.T) {
	t.Parallel()
	clock := newClock()
	s := open(t, memory.Options{MaxEntries: 2, WhenFull: memory.Refuse, Clock: clock.Now, OnEvict: failOnEvict(t)})
	executeKey(t, s, "one")
	executeKey(t, s, "two")
	if _, err := s.Reserve(t.Context(), claimOn("three")); !errors.Is(err, store.ErrFull) {
		t.Fatalf("Reserve: %v, want %v", err, store.ErrFull)
	}
	clock.Advance(claimOn("").Retain)
	reserve(t, s, "three")
}

// TestExpiredIsNoEviction fills a store with records that have expired: making
// room by them is nobody's loss.
func TestExpiredIsNoEviction(t *testing.T) {
	t.Parallel()
	clock := newClock()
	s := open(t, memory.Options{MaxEntries: 10, Clock: clock.Now, OnEvict: failOnEvict(t)})
	for round := range 5 {
		for i := range 10 {
			executeKey(t, s, fmt.Sprintf("%d-%d", round, i))
		}
		clock.Advance(claimOn("").Retain)
	}
	if s.Evictions() != 0 || s.Len() != 10 {
		t.Fatalf("%d evictions, %d records", s.Evictions(), s.Len())
	}
}

// TestEvictionAndExpiryMix evicts some records, lets the others expire and make
// room, and goes on.
func TestEvictionAndExpiryMix(t *testing.T) {
	t.Parallel()
	const entries = 100
	clock := newClock()
	s := open(t, memory.Options{MaxEntries: entries, Clock: clock.Now})
	for i := range entries + 1 {
		executeKey(t, s, fmt.Sprint("old ", i))
	}
	clock.Advance(claimOn("").Retain)
	for i := range entries + 1 {
		executeKey(t, s, fmt.Sprint("new ", i))
	}
	if s.Evictions() != 2 || s.Len() != entries {
		t.Fatalf("%d evictions, %d records, want 2 and %d", s.Evictions(), s.Len(), entries)
	}
}

// TestLatestSurvive sends many times more keys than there is room for, as a busy
// server does, and expects the latest of them to be there for their retries, also
// when every key is asked for once and so makes a claim to stay.
func TestLatestSurvive(t *testing.T) {
	t.Parallel()
	const entries, keys = 1000, 8000
	key := func(i int) string { return fmt.Sprint("key ", i) }
	for name, replayed := range map[string]bool{"written once": false, "replayed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, memory.Options{MaxEntries: entries})
			for i := range keys {
				executeKey(t, s, key(i))
				if replayed {
					mustLoad(t, s, key(i))
				}
			}
			for i := keys - entries/2; i < keys; i++ {
				mustLoad(t, s, key(i))
			}
			if s.Evictions() != keys-entries || s.Len() != entries {
				t.Fatalf("%d evictions, %d records, want %d and %d", s.Evictions(), s.Len(), keys-entries, entries)
			}
		})
	}
}

// TestOldestGoFirst expects evictions to take the oldest records, but for those
// that were asked for.
func TestOldestGoFirst(t *testing.T) {
	t.Parallel()
	const entries = 100
	s := open(t, memory.Options{MaxEntries: entries})
	key := func(i int) string { return fmt.Sprint("key ", i) }
	asked := map[int]bool{0: true, 3: true, 21: true, 99: true}
	for i := range entries {
		executeKey(t, s, key(i))
	}
	for i := range asked {
		mustLoad(t, s, key(i))
	}
	for i := range 27 {
		executeKey(t, s, key(entries+i))
	}
	for i := range entries + 27 {
		_, err := s.Load(t.Context(), key(i))
		if there := err == nil; there != (i >= 30 || asked[i]) {
			t.Errorf("key %d is there: %t", i, there)
		}
	}
}

// TestReplayedSurvive expects a key that is asked for again and again to outlive
// the half that is safe by age.
func TestReplayedSurvive(t *testing.T) {
	t.Parallel()
	const entries, keys = 500, 2500
	s := open(t, memory.Options{MaxEntries: entries})
	executeKey(t, s, "popular")
	for i := range keys {
		executeKey(t, s, fmt.Sprint("key ", i))
		mustLoad(t, s, "popular")
	}
}

// TestBoundIsExact executes and releases keys from several goroutines on a full
// store. At no time may it hold more than its bound, nor lose a reservation.
func TestBoundIsExact(t *testing.T) {
	t.Parallel()
	const entries, workers, each = 50, 8, 500
	var evicted atomic.Int64
	s := open(t, memory.Options{
		MaxEntries: entries,
		OnEvict:    func(count int, _ memory.Cause) { evicted.Add(int64(count)) },
	})
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for i := range each {
				claim := claimOn(fmt.Sprint(worker, "-", i))
				got, err := s.Reserve(t.Context(), claim)
				if err != nil || !got.Acquired {
					t.Errorf("Reserve: %+v, %v", got, err)
					return
				}
				if n := s.Len(); n > entries {
					t.Errorf("%d records, want at most %d", n, entries)
				}
				if i%5 == 0 {
					err = s.Release(t.Context(), claim.Key, claim.Token)
				} else {
					err = s.Finalize(t.Context(), claim.Key, claim.Token, outcome(), claim.Retain)
				}
				if err != nil {
					t.Errorf("a reservation was lost: %v", err)
				}
			}
		})
	}
	all.Wait()
	final := workers * each * 4 / 5
	if got := int(s.Evictions()) + s.Len(); got != final || int64(s.Evictions()) != evicted.Load() {
		t.Fatalf("%d evicted (%d reported) and %d held, want %d in all", s.Evictions(), evicted.Load(), s.Len(), final)
	}
}

func failOnEvict(t *testing.T) func(int, memory.Cause) {
	return func(count int, cause memory.Cause) { t.Errorf("evicted %d records: %s", count, cause) }
}

// claimOn returns a claim whose token follows from the key.
func claimOn(key string) store.Claim {
	return store.Claim{Key: key, Token: store.Token("token of " + key), Lease: time.Minute, Retain: time.Hour}
}

func outcome() store.Outcome {
	return store.Outcome{Status: 200, Kind: store.KindBody, Payload: []byte("{}")}
}

func reserve(tb testing.TB, s *memory.Store, key string) {
	tb.Helper()
	if got, err := s.Reserve(context.Background(), claimOn(key)); err != nil || !got.Acquired {
		tb.Fatalf("Reserve(%s): %+v, %v", key, got, err)
	}
}

func finalize(tb testing.TB, s *memory.Store, key string) {
	tb.Helper()
	claim := claimOn(key)
	if err := s.Finalize(context.Background(), key, claim.Token, outcome(), claim.Retain); err != nil {
		tb.Fatalf("Finalize(%s): %v", key, err)
	}
}

func mustLoad(tb testing.TB, s *memory.Store, key string) {
	tb.Helper()
	if _, err := s.Load(context.Background(), key); err != nil {
		tb.Fatalf("Load(%s): %v", key, err)
	}
}

func executeKey(tb testing.TB, s *memory.Store, key string) {
	tb.Helper()
	reserve(tb, s, key)
	finalize(tb, s, key)
}
