package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// clients is how many requests are in flight at a time.
const clients = 16

// forBench opens a store whose database flushes every commit to disk.
func (d database) forBench(b *testing.B) *sqlstore.Store {
	b.Helper()
	s, err := sqlstore.Open(b.Context(), d.fresh(b), sqlstore.Options{
		MaxPoolSize: clients,
		Logger:      slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	migrateNow(b, s)
	return s
}

// inParallel runs n operations by as many clients as there are.
func inParallel(b *testing.B, n int, operation func(context.Context) error) {
	b.Helper()
	var next atomic.Int64
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for next.Add(1) <= int64(n) {
				if err := operation(b.Context()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

func benchmarkOnEach(b *testing.B, prepare func(*testing.B, *sqlstore.Store) func(context.Context) error) {
	for _, d := range databases {
		b.Run(d.name, func(b *testing.B) {
			s := d.forBench(b)
			operation := prepare(b, s)
			b.ResetTimer()
			inParallel(b, b.N, operation)
		})
	}
}

func BenchmarkReserveFinalize(b *testing.B) {
	benchmarkOnEach(b, func(_ *testing.B, s *sqlstore.Store) func(context.Context) error {
		return func(ctx context.Context) error {
			claim := newClaim()
			if err := reserve(ctx, s, claim); err != nil {
				return err
			}
			return s.Finalize(ctx, claim.Key, claim.Token, created(), claim.Retain)
		}
	})
}

func BenchmarkTransact(b *testing.B) {
	benchmarkOnEach(b, func(_ *testing.B, s *sqlstore.Store) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := s.Transact(ctx, newClaim(), committing)
			return err
		}
	})
}

// BenchmarkReplay reserves keys that have an outcome: from a moment ago, which
// tries the insert first, and from longer ago, which reads first.
func BenchmarkReplay(b *testing.B) {
	for name, age := range map[string]time.Duration{"fresh": 0, "old": time.Minute} {
		b.Run(name, func(b *testing.B) {
			benchmarkOnEach(b, func(b *testing.B, s *sqlstore.Store) func(context.Context) error {
				claims := finals(b, s, age)
				return func(ctx context.Context) error { return replay(ctx, s, claims) }
			})
		})
	}
}

func reserve(ctx context.Context, s *sqlstore.Store, claim store.Claim) error {
	got, err := s.Reserve(ctx, claim)
	if err == nil && !got.Acquired {
		err = errors.New("a fresh key is held")
	}
	return err
}

// finals puts records with an outcome into the table, whose keys are of an age.
func finals(b *testing.B, s *sqlstore.Store, age time.Duration) []store.Claim {
	b.Helper()
	claims := make([]store.Claim, 1000)
	for i := range claims {
		claims[i] = newClaim()
		if age > 0 {
			claims[i].Key = keyAt(time.Now().Add(-age))
		}
		if _, err := s.Transact(b.Context(), claims[i], committing); err != nil {
			b.Fatal(err)
		}
	}
	return claims
}

// replay reserves one of the keys, whose outcome it must get.
func replay(ctx context.Context, s *sqlstore.Store, claims []store.Claim) error {
	claim := claims[rand.N(len(claims))]
	got, err := s.Reserve(ctx, again(claim))
	if err == nil && (got.Existing == nil || got.Existing.Token != claim.Token) {
		err = fmt.Errorf("not a replay: %+v", got)
	}
	return err
}
