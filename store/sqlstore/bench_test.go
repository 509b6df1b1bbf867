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

	"github.com/uptrace/bun"

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

// inParallel runs n operations by as many clients as there are, and returns how
// long all took together.
func inParallel(b *testing.B, n int, operation func(context.Context) error) time.Duration {
	b.Helper()
	var next atomic.Int64
	var group sync.WaitGroup
	start := time.Now()
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
	return time.Since(start)
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

// BenchmarkRatios measures what a key costs on PostgreSQL, each as a ratio of
// throughputs within one run: a mutation of one SELECT and one UPDATE in two
// phases and in one transaction, to the same without a key; and a replay, to
// reading the record by primary key. The plain modes do the least that SQL needs
// for either way, in a table of three columns: they show what a machine allows.
func BenchmarkRatios(b *testing.B) {
	s := databases[0].forBench(b)
	mustExec(b, s.Base(), "CREATE TABLE accounts (id INT PRIMARY KEY, balance INT NOT NULL)")
	mustExec(b, s.Base(), fmt.Sprintf("INSERT INTO accounts SELECT i, 0 FROM generate_series(1, %d) AS i", accountCount))
	mustExec(b, s.Base(), "CREATE TABLE plain (k VARCHAR(36) PRIMARY KEY, status INT, body BYTEA)")
	modes := ratioModes(s, finals(b, s, time.Minute))
	took := map[string]time.Duration{}
	const each = 1000
	b.ResetTimer()
	for range b.N { // modes take turns, so that whatever else goes on meets all of them
		for name, operation := range modes {
			took[name] += inParallel(b, each, operation)
		}
	}
	for _, name := range []string{"two-phase", "transactional", "plain-two-phase", "plain-transactional"} {
		b.ReportMetric(took["none"].Seconds()/took[name].Seconds(), name+"/none")
	}
	b.ReportMetric(took["select"].Seconds()/took["replay"].Seconds(), "replay/select")
	for name, d := range took {
		b.ReportMetric(each*float64(b.N)/d.Seconds(), name+"/s")
	}
}

func ratioModes(s *sqlstore.Store, claims []store.Claim) map[string]func(context.Context) error {
	db := s.Base()
	mutate := func(ctx context.Context) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return move(ctx, tx) })
	}
	return map[string]func(context.Context) error{
		"none": mutate,
		"two-phase": func(ctx context.Context) error {
			claim := newClaim()
			if err := reserve(ctx, s, claim); err != nil {
				return err
			}
			if err := mutate(ctx); err != nil {
				return err
			}
			return s.Finalize(ctx, claim.Key, claim.Token, created(), claim.Retain)
		},
		"transactional": func(ctx context.Context) error {
			_, err := s.Transact(ctx, newClaim(), func(ctx context.Context) (store.Outcome, store.Decision, error) {
				return created(), store.Commit, move(ctx, sqlstore.DB(ctx, db))
			})
			return err
		},
		"plain-two-phase": func(ctx context.Context) error {
			key := newClaim().Key
			if _, err := db.ExecContext(ctx, "INSERT INTO plain (k) VALUES (?) ON CONFLICT (k) DO NOTHING", key); err != nil {
				return err
			}
			if err := mutate(ctx); err != nil {
				return err
			}
			_, err := db.ExecContext(ctx, "UPDATE plain SET status = 200, body = ? WHERE k = ?", created().Payload, key)
			return err
		},
		"plain-transactional": func(ctx context.Context) error {
			return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
				if err := move(ctx, tx); err != nil {
					return err
				}
				_, err := tx.ExecContext(ctx, "INSERT INTO plain (k, status, body) VALUES (?, 200, ?) ON CONFLICT (k) DO NOTHING",
					newClaim().Key, created().Payload)
				return err
			})
		},
		"select": func(ctx context.Context) error {
			return db.NewSelect().Model(new(sqlstore.Row)).
				Where("idempotency_key = ?", claims[rand.N(len(claims))].Key).Scan(ctx)
		},
		"select-body": func(ctx context.Context) error {
			var body []byte
			return db.NewRaw("SELECT response_summary FROM iceberg_idempotency_key_meta WHERE idempotency_key = ?",
				claims[rand.N(len(claims))].Key).Scan(ctx, &body)
		},
		"replay": func(ctx context.Context) error { return replay(ctx, s, claims) },
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

const accountCount = 10_000

// move is a mutation of one SELECT and one UPDATE.
func move(ctx context.Context, db bun.IDB) error {
	id := 1 + rand.N(accountCount)
	var n int
	if err := db.NewRaw("SELECT balance FROM accounts WHERE id = ?", id).Scan(ctx, &n); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "UPDATE accounts SET balance = ? WHERE id = ?", n+1, id)
	return err
}
