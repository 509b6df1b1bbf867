package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store/memory"
)

// TestPurgeAfterChanges moves the end of one record behind that of another, in
// each way there is, and expects a purge to find the one that expires first now.
func TestPurgeAfterChanges(t *testing.T) {
	t.Parallel()
	first := claimOn("first")
	first.Lease, first.Retain = time.Second, 10*time.Second
	later := first
	later.Token, later.Lease, later.Retain = "another token", time.Minute, time.Hour

	for name, change := range map[string]func(context.Context, *memory.Store) error{
		"takeover": func(ctx context.Context, s *memory.Store) error {
			got, err := s.Reserve(ctx, later)
			if !got.TakenOver {
				return fmt.Errorf("not taken over: %w", err)
			}
			return err
		},
		"renew": func(ctx context.Context, s *memory.Store) error {
			return s.Renew(ctx, first.Key, first.Token, later.Retain)
		},
		"finalize": func(ctx context.Context, s *memory.Store) error {
			return s.Finalize(ctx, first.Key, first.Token, outcome(), later.Retain)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := newClock()
			s := open(t, memory.Options{Clock: clock.Now})
			if _, err := s.Reserve(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			second := claimOn("second")
			second.Lease, second.Retain = 20*time.Second, 20*time.Second
			if _, err := s.Reserve(t.Context(), second); err != nil {
				t.Fatal(err)
			}
			clock.Advance(first.Lease)
			if err := change(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			clock.Advance(second.Retain)
			if n, err := s.PurgeExpired(t.Context(), 10); n != 1 || err != nil {
				t.Fatalf("PurgeExpired: %d, %v, want 1", n, err)
			}
			if _, err := s.Load(t.Context(), first.Key); err != nil {
				t.Fatalf("Load: %v", err)
			}
		})
	}
}

// TestPurgeEnds stops in the middle when its context ends, and says how far it
// got.
func TestPurgeEnds(t *testing.T) {
	t.Parallel()
	const records = 1000
	ctx, cancel := context.WithCancel(t.Context())
	clock := newClock()
	var purging bool
	s := open(t, memory.Options{Clock: func() time.Time {
		if purging {
			cancel()
		}
		return clock.Now()
	}})
	for i := range records {
		executeKey(t, s, fmt.Sprint("key ", i))
	}
	clock.Advance(claimOn("").Retain)
	purging = true
	n, err := s.PurgeExpired(ctx, records)
	if !errors.Is(err, context.Canceled) || n == 0 || n == records {
		t.Fatalf("PurgeExpired: %d, %v", n, err)
	}
	if s.Len() != records-n {
		t.Fatalf("%d records after %d were deleted", s.Len(), n)
	}
}
