package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// TestNewKeysDoNotDeadlock is case D3: many goroutines reserve different new
// keys in an almost empty table, also where the isolation level locks the gaps
// between keys.
func TestNewKeysDoNotDeadlock(t *testing.T) {
	t.Parallel()
	for _, isolation := range []string{"", "?tx_isolation='REPEATABLE-READ'"} {
		t.Run("mysql"+isolation, func(t *testing.T) {
			t.Parallel()
			s := open(t, databases[1].fresh(t)+isolation)
			migrateNow(t, s)
			together(32, func(int) {
				for range 50 {
					claim := newClaim()
					got, err := s.Reserve(t.Context(), claim)
					if err == nil && got.Acquired {
						err = s.Release(t.Context(), claim.Key, claim.Token)
					}
					if err != nil || !got.Acquired {
						t.Errorf("Reserve and Release: %+v, %v", got, err)
					}
				}
			})
		})
	}
}

// TestParallelTransactionsOnSQLite is case D4: 50 keyed creates at once, each of
// which reads before it writes, on a file in WAL mode.
func TestParallelTransactionsOnSQLite(t *testing.T) {
	t.Parallel()
	s, _ := databases[2].migrated(t)
	bank(t, s)
	var mode string
	if err := s.Base().NewRaw("PRAGMA journal_mode").Scan(t.Context(), &mode); err != nil || mode != "wal" {
		t.Fatalf("journal mode %q, %v", mode, err)
	}
	together(50, func(int) {
		rec, err := s.Transact(t.Context(), newClaim(), func(ctx context.Context) (store.Outcome, store.Decision, error) {
			db := sqlstore.DB(ctx, s.Base())
			var n int
			if err := db.NewRaw("SELECT balance FROM account WHERE name = 'a'").Scan(ctx, &n); err != nil {
				return store.Outcome{}, store.Abort, err
			}
			_, err := db.ExecContext(ctx, "UPDATE account SET balance = ? WHERE name = 'a'", n+1)
			return created(), store.Commit, err
		})
		if rec != nil || err != nil {
			t.Errorf("Transact: record %v, error %v", rec, err)
		}
	})
	if n := balance(t, s, "a"); n != 50 {
		t.Errorf("the balance is %d, want 50", n)
	}
}

// TestReadsRunBesideATransactionOnSQLite keeps a slow mutation from stopping
// those who only read, the waiters that poll among them.
func TestReadsRunBesideATransactionOnSQLite(t *testing.T) {
	t.Parallel()
	s, _ := databases[2].migrated(t)
	bank(t, s)
	claim := newClaim()
	mustReserve(t, s, claim)
	_, err := s.Transact(t.Context(), newClaim(), func(ctx context.Context) (store.Outcome, store.Decision, error) {
		if err := deposit(ctx, sqlstore.DB(ctx, s.Base()), "a"); err != nil {
			return store.Outcome{}, store.Abort, err
		}
		if _, err := s.Load(ctx, claim.Key); err != nil {
			t.Errorf("Load: %v", err)
		}
		var n int
		if err := s.Base().NewSelect().Table("account").Column("balance").Where("name = 'a'").Scan(ctx, &n); err != nil || n != 0 {
			t.Errorf("a read beside the transaction: %d, %v", n, err)
		}
		return created(), store.Commit, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAnotherProcessWritesToSQLite keeps the file locked from elsewhere: callers
// wait, leave when their context ends, and get through when it is over.
func TestAnotherProcessWritesToSQLite(t *testing.T) {
	t.Parallel()
	s, dsn := databases[2].migrated(t)
	other := openDB(t, dsn, sqlstore.Options{})
	tx, err := other.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := s.Reserve(ctx, newClaim()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Reserve: %v", err)
	}
	if took := time.Since(start); took > prompt {
		t.Errorf("Reserve left after %v", took)
	}
	result := make(chan error, 1)
	go func() {
		_, err := s.Transact(t.Context(), newClaim(), committing)
		result <- err
	}()
	time.AfterFunc(1500*time.Millisecond, func() { // longer than one wait for the lock
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	})
	if err := <-result; err != nil {
		t.Errorf("Transact: %v", err)
	}
}

// TestRecordHeldByAnother is the first half of case D6: somebody holds the row
// of a reservation, a finalize is given up, and the caller finds out by the
// token what became of it.
func TestRecordHeldByAnother(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s, _ := d.migrated(t)
			claim := newClaim()
			mustReserve(t, s, claim)
			tx, err := s.Base().BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			mustExec(t, tx, "UPDATE iceberg_idempotency_key_meta SET audit_info = 'held' WHERE idempotency_key = ?", claim.Key)

			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(300*time.Millisecond, cancel)
			start := time.Now()
			err = s.Finalize(ctx, claim.Key, claim.Token, created(), claim.Retain)
			if !errors.Is(err, context.Canceled) || time.Since(start) > prompt {
				t.Errorf("Finalize: %v after %v", err, time.Since(start))
			}
			rec, err := s.Load(t.Context(), claim.Key)
			if err != nil || rec.Token != claim.Token || rec.Final() {
				t.Errorf("Load while it is unknown: %+v, %v", rec, err)
			}
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
			// The statement that was given up may still be carried out.
			if err := s.Finalize(t.Context(), claim.Key, claim.Token, created(), claim.Retain); err != nil {
				t.Errorf("Finalize again: %v", err)
			}
			if rec, err := s.Load(t.Context(), claim.Key); err != nil || !rec.Final() {
				t.Errorf("Load: %+v, %v", rec, err)
			}
		})
	}
}

// TestClocksOfNodesDoNotMatter is case D8: the only thing that a node takes from
// its own clock is whether to look for a record first. Keys from any time, past
// and future, get the same answers.
func TestClocksOfNodesDoNotMatter(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s, _ := d.migrated(t)
		for name, at := range map[string]time.Time{
			"epoch":                   time.UnixMilli(0),
			"90 s behind":             time.Now().Add(-90 * time.Second),
			"now":                     time.Now(),
			"90 s ahead":              time.Now().Add(90 * time.Second),
			"the last that a key has": time.UnixMilli(1<<48 - 1),
			"not a version 7 key":     {},
		} {
			claim := newClaim()
			claim.Key = keyAt(at)
			mustReserve(t, s, claim)
			before := now(t, s)
			got, err := s.Reserve(t.Context(), again(claim))
			if err != nil || got.Existing == nil || got.Existing.Token != claim.Token {
				t.Fatalf("%s: a duplicate: %+v, %v", name, got, err)
			}
			if left := got.Existing.LeaseExpiresAt.Sub(before); left <= 0 || left > claim.Lease {
				t.Errorf("%s: %v of the lease are left, want up to %v", name, left, claim.Lease)
			}
			s.Advance(2 * claim.Lease)
			claim.Retain *= 4
			transacting := newClaim()
			transacting.Key = keyAt(at)
			if rec, err := s.Transact(t.Context(), transacting, committing); rec != nil || err != nil {
				t.Errorf("%s: Transact: %v, %v", name, rec, err)
			}
			rec, err := s.Transact(t.Context(), again(transacting), committing)
			if err != nil || rec == nil || rec.Token != transacting.Token {
				t.Errorf("%s: Transact again: %v, %v", name, rec, err)
			}
		}
	})
}

// keyAt returns a fresh key whose timestamp is at; of the zero time, one that
// has none.
func keyAt(at time.Time) string {
	if at.IsZero() {
		return uuid.NewString()
	}
	random := uuid.NewString()
	stamp := fmt.Sprintf("%012x", at.UnixMilli())
	return stamp[:8] + "-" + stamp[8:] + "-7" + random[15:]
}

func TestIsProbablyRetry(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for key, want := range map[string]bool{
		keyAt(now.Add(-time.Hour)):             true,
		keyAt(now.Add(-3 * time.Second)):       true,
		keyAt(now.Add(-time.Second)):           false,
		keyAt(now.Add(time.Hour)):              false,
		uuid.NewString():                       false,
		"":                                     false,
		"gggggggg-gggg-7ggg-gggg-gggggggggggg": false,
	} {
		if got := sqlstore.IsProbablyRetry(key, now); got != want {
			t.Errorf("%q: %t, want %t", key, got, want)
		}
	}
}

// TestPurgeBesideKeyedWrites is case D11 at full size: 10,000 expired rows go in
// batches of 500 while keyed writes run. Attempts past their lease and live rows
// stay, no deadlock surfaces, no batch exceeds its bound.
func TestPurgeBesideKeyedWrites(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s, dsn := d.migrated(t)
		fill(t, s, 10_000)
		var inFlight, live []store.Claim
		for range 10 {
			running, done := newClaim(), newClaim()
			running.Lease = 0
			mustReserve(t, s, running)
			mustReserve(t, s, done)
			if err := s.Finalize(t.Context(), done.Key, done.Token, created(), done.Retain); err != nil {
				t.Fatal(err)
			}
			inFlight, live = append(inFlight, running), append(live, done)
		}
		nodes := []*sqlstore.Store{s}
		if d.server != nil {
			nodes = append(nodes, open(t, dsn))
		}
		var total atomic.Int64
		purged := make(chan struct{})
		var writers sync.WaitGroup
		for range 4 {
			writers.Go(func() { writeUntil(t, s, purged) })
		}
		together(len(nodes), func(i int) {
			for {
				n, err := nodes[i].PurgeExpired(t.Context(), 500)
				if err != nil || n > 500 {
					t.Errorf("PurgeExpired(500): %d, %v", n, err)
					return
				}
				total.Add(int64(n))
				if n == 0 {
					return
				}
			}
		})
		close(purged)
		writers.Wait()
		if n, err := s.PurgeExpired(t.Context(), 100_000); err != nil {
			t.Error(err)
		} else if total.Add(int64(n)); total.Load() != 10_000 {
			t.Errorf("%d rows went, want 10000", total.Load())
		}
		for i := range inFlight {
			if rec, err := s.Load(t.Context(), inFlight[i].Key); err != nil || rec.Final() {
				t.Errorf("an attempt past its lease: %+v, %v", rec, err)
			}
			if rec, err := s.Load(t.Context(), live[i].Key); err != nil || !rec.Final() {
				t.Errorf("a live record: %+v, %v", rec, err)
			}
		}
	})
}

func writeUntil(t *testing.T, s *sqlstore.Store, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		claim := newClaim()
		got, err := s.Reserve(t.Context(), claim)
		if err == nil && got.Acquired {
			err = s.Finalize(t.Context(), claim.Key, claim.Token, created(), claim.Retain)
		}
		if err != nil || !got.Acquired {
			t.Errorf("a keyed write: %+v, %v", got, err)
			return
		}
	}
}

// fill puts n expired final rows into the table.
func fill(tb testing.TB, s *sqlstore.Store, n int) {
	tb.Helper()
	const batch = 1000
	for from := 0; from < n; from += batch {
		rows := make([]*sqlstore.Row, 0, batch)
		for range min(batch, n-from) {
			rows = append(rows, sqlstore.ExpiredRow(newClaim(), created()))
		}
		if _, err := s.Base().NewInsert().Model(&rows).Exec(context.Background()); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestPurgeUsesTheIndex keeps a purge from reading the whole table.
func TestPurgeUsesTheIndex(t *testing.T) {
	t.Parallel()
	s, _ := databases[2].migrated(t)
	var plan []struct {
		ID, Parent, Notused int
		Detail              string
	}
	if err := s.Base().NewRaw("EXPLAIN QUERY PLAN "+sqlstore.SpentKeysSQL(s), bun.Safe("10")).Scan(t.Context(), &plan); err != nil {
		t.Fatal(err)
	}
	if len(plan) == 0 || plan[0].Detail != "SEARCH iceberg_idempotency_key_meta USING INDEX iceberg_idempotency_key_meta_expires_at (expires_at<?)" {
		t.Errorf("the plan is %+v", plan)
	}
}

// TestDatabaseFileGone fails loudly instead of creating an empty database.
func TestDatabaseFileGone(t *testing.T) {
	t.Parallel()
	dsn := "file:" + filepath.Join(t.TempDir(), "none.db") + "?mode=rw"
	if _, err := sqlstore.Open(t.Context(), dsn, sqlstore.Options{}); err == nil {
		t.Error("a database that is not there was opened")
	}
}
