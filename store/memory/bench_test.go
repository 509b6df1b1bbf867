package memory_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

const (
	benchKeys    = 1 << 14
	benchRetain  = time.Hour
	benchEntries = memory.DefaultMaxEntries
)

// BenchmarkFirstExecution is the store's share of a keyed request that executes:
// Reserve and Finalize of a new key, in a store with room. Between rounds, off
// the clock, everything expires and is purged, so that all keys are new again.
func BenchmarkFirstExecution(b *testing.B) {
	clock := newClock()
	s := open(b, memory.Options{MaxEntries: 4 * benchKeys, Clock: ticking(clock)})
	claims := benchClaims(0)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i == len(claims) {
			b.StopTimer()
			clock.Advance(2 * benchRetain)
			if n, err := s.PurgeExpired(context.Background(), len(claims)); n != len(claims) || err != nil {
				b.Fatal(n, err)
			}
			i = 0
			b.StartTimer()
		}
		execute(b, s, claims[i])
	}
}

// ticking is a clock that costs what time.Now costs.
func ticking(c *clock) func() time.Time {
	start := time.Now()
	return func() time.Time { return c.now.Add(time.Since(start)) }
}

// BenchmarkFirstExecutionWhenFull is the same where every new key evicts a live
// record.
func BenchmarkFirstExecutionWhenFull(b *testing.B) {
	s := open(b, memory.Options{MaxEntries: benchEntries / 2})
	claims := benchClaims(0)
	for _, claim := range claims {
		execute(b, s, claim)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		execute(b, s, claims[i%len(claims)])
	}
}

// BenchmarkReplay is the store's share of a retry: Reserve of a key that is
// final.
func BenchmarkReplay(b *testing.B) {
	s, claims := finalStore(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		replay(b, s, claims[i%len(claims)])
	}
}

func BenchmarkReplayParallel(b *testing.B) {
	s, claims := finalStore(b)
	b.ReportAllocs()
	var worker atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := int(worker.Add(1)) * 1000; pb.Next(); i++ {
			replay(b, s, claims[i%len(claims)])
		}
	})
}

func BenchmarkFirstExecutionParallel(b *testing.B) {
	s := open(b, memory.Options{})
	claims := make([][]store.Claim, runtime.GOMAXPROCS(0))
	for i := range claims {
		claims[i] = benchClaims(i)
	}
	b.ReportAllocs()
	var worker atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		own := claims[worker.Add(1)-1]
		for i := 0; pb.Next(); i++ {
			execute(b, s, own[i%len(own)])
		}
	})
}

// BenchmarkPurge deletes expired records in batches, per record.
func BenchmarkPurge(b *testing.B) {
	clock := newClock()
	s := open(b, memory.Options{MaxEntries: benchKeys, Clock: clock.Now})
	claims := benchClaims(0)
	for left := 0; b.Loop(); left-- {
		if left == 0 {
			b.StopTimer()
			for _, claim := range claims {
				execute(b, s, claim)
			}
			clock.Advance(benchRetain)
			left = len(claims)
			b.StartTimer()
		}
		if n, err := s.PurgeExpired(context.Background(), 1); n != 1 || err != nil {
			b.Fatal(n, err)
		}
	}
}

func finalStore(b *testing.B) (*memory.Store, []store.Claim) {
	b.Helper()
	s := open(b, memory.Options{MaxEntries: benchEntries})
	claims := benchClaims(0)[:benchEntries/4]
	for _, claim := range claims {
		execute(b, s, claim)
	}
	return s, claims
}

func execute(b *testing.B, s *memory.Store, claim store.Claim) {
	ctx := context.Background()
	got, err := s.Reserve(ctx, claim)
	if err != nil || !got.Acquired {
		b.Fatal(got, err)
	}
	if err := s.Finalize(ctx, claim.Key, claim.Token, benchOutcome, benchRetain); err != nil {
		b.Fatal(err)
	}
}

func replay(b *testing.B, s *memory.Store, claim store.Claim) {
	got, err := s.Reserve(context.Background(), claim)
	if err != nil || got.Existing == nil {
		b.Fatal(got, err)
	}
}

var benchOutcome = store.Outcome{
	Status: http.StatusOK,
	Header: http.Header{
		"Content-Type": {"application/json"},
		"ETag":         {`"5"`},
	},
	Kind:    store.KindSummary,
	Payload: []byte(`{"metadata-location":"s3://warehouse/ns/orders/00001.metadata.json"}`),
}

func benchClaims(worker int) []store.Claim {
	claims := make([]store.Claim, benchKeys)
	for i := range claims {
		key := fmt.Sprintf("%08x-0000-7000-8000-%012x", i, worker)
		claims[i] = store.Claim{
			Key:     key,
			Token:   store.NewToken(),
			Binding: store.Binding{Operation: "updateTable ns.orders", Request: sha256.Sum256([]byte(key))},
			Lease:   30 * time.Second,
			Retain:  benchRetain,
		}
	}
	return claims
}
