package memory_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// executeSized executes a key whose answer has a size.
func executeSized(t *testing.T, s *memory.Store, key string, size int) {
	t.Helper()
	reserve(t, s, key)
	o, claim := outcome(), claimOn(key)
	o.Payload = make([]byte, size)
	if err := s.Finalize(t.Context(), key, claim.Token, o, claim.Retain); err != nil {
		t.Fatal(err)
	}
}

// TestBytesBound stores answers of ten sizes and expects no more of them than
// there is room for, the latest among them.
func TestBytesBound(t *testing.T) {
	t.Parallel()
	s := open(t, memory.Options{MaxBytes: 10_000})
	for i := range 1000 {
		executeSized(t, s, fmt.Sprint("key ", i), 100*(1+i%10))
	}
	kept := 0
	for i := range 1000 {
		if record, err := s.Load(t.Context(), fmt.Sprint("key ", i)); err == nil {
			kept += len(record.Outcome.Payload)
		} else if i >= 990 {
			t.Errorf("key %d of 1000: %v", i, err)
		}
	}
	// The last one came when there was room for a byte at least.
	if kept < 9_000 || kept > 11_000 || s.Evictions() != uint64(1000-s.Len()) {
		t.Fatalf("%d bytes in %d records, %d evictions", kept, s.Len(), s.Evictions())
	}
}

// TestOneAnswerOverAll keeps an answer that is larger than the bound until the
// next key needs its room.
func TestOneAnswerOverAll(t *testing.T) {
	t.Parallel()
	s := open(t, memory.Options{MaxBytes: 1000})
	for i := range 3 {
		executeSized(t, s, fmt.Sprint("key ", i), 100)
	}
	executeSized(t, s, "large", 5000)
	mustLoad(t, s, "large")
	executeSized(t, s, "next", 100)
	if s.Len() != 1 || s.Evictions() != 4 {
		t.Fatalf("%d records, %d evictions, want 1 and 4", s.Len(), s.Evictions())
	}
}

// TestBytesGoWithTheirRecords refuses keys in a store whose bytes are used up,
// and takes them when those have expired, by a purge or without one.
func TestBytesGoWithTheirRecords(t *testing.T) {
	t.Parallel()
	for name, purge := range map[string]bool{"purged": true, "made room": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := newClock()
			s := open(t, memory.Options{MaxBytes: 1000, WhenFull: memory.Refuse, Clock: clock.Now, OnEvict: failOnEvict(t)})
			executeSized(t, s, "one", 600)
			executeSized(t, s, "two", 600)
			if _, err := s.Reserve(t.Context(), claimOn("three")); !errors.Is(err, store.ErrFull) {
				t.Fatalf("Reserve: %v, want %v", err, store.ErrFull)
			}
			clock.Advance(claimOn("").Retain)
			if purge {
				if n, err := s.PurgeExpired(t.Context(), 10); n != 2 || err != nil {
					t.Fatalf("PurgeExpired: %d, %v", n, err)
				}
			}
			executeSized(t, s, "three", 999)
			executeSized(t, s, "four", 1)
			if _, err := s.Reserve(t.Context(), claimOn("five")); !errors.Is(err, store.ErrFull) {
				t.Fatalf("Reserve: %v, want %v", err, store.ErrFull)
			}
		})
	}
}
