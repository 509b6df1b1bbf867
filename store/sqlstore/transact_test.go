package sqlstore_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// bank is a backend with two accounts.
func bank(tb testing.TB, s *sqlstore.Store) {
	tb.Helper()
	mustExec(tb, s.Base(), "CREATE TABLE account (name VARCHAR(10) PRIMARY KEY, balance INT NOT NULL)")
	mustExec(tb, s.Base(), "INSERT INTO account VALUES ('a', 0), ('b', 0)")
}

func deposit(ctx context.Context, db bun.IDB, account string) error {
	_, err := db.ExecContext(ctx, "UPDATE account SET balance = balance + 1 WHERE name = ?", account)
	return err
}

func balance(tb testing.TB, s *sqlstore.Store, account string) (n int) {
	tb.Helper()
	err := s.Base().NewRaw("SELECT balance FROM account WHERE name = ?", account).Scan(context.Background(), &n)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

func TestDBWithoutTransaction(t *testing.T) {
	t.Parallel()
	s, _ := databases[2].migrated(t)
	if db := sqlstore.DB(t.Context(), s.Base()); db != bun.IDB(s.Base()) {
		t.Errorf("DB returns %v, want the fallback", db)
	}
	if sqlstore.OnRollback(t.Context(), func() { t.Error("undone") }) {
		t.Error("OnRollback takes what it never undoes")
	}
}

// TestOnRollback sees what a mutation did outside the database undone in reverse
// order, exactly when the transaction is rolled back.
func TestOnRollback(t *testing.T) {
	conflict := created()
	conflict.Status = http.StatusConflict
	failure := errors.New("the backend failed")
	onEach(t, func(t *testing.T, d database) {
		s, _ := d.migrated(t)
		taken := newClaim()
		if rec, err := s.Transact(t.Context(), taken, committing); rec != nil || err != nil {
			t.Fatal(rec, err)
		}
		for name, c := range map[string]struct {
			claim    store.Claim
			decision store.Decision
			err      error
			panics   bool
			undone   bool
		}{
			"commit":                {claim: newClaim(), decision: store.Commit},
			"commit of a lost race": {claim: again(taken), decision: store.Commit, undone: true},
			"reject":                {claim: newClaim(), decision: store.Reject, undone: true},
			"reject of a lost race": {claim: again(taken), decision: store.Reject, undone: true},
			"abort":                 {claim: newClaim(), decision: store.Abort, undone: true},
			"error":                 {claim: newClaim(), decision: store.Commit, err: failure, undone: true},
			"panic":                 {claim: newClaim(), panics: true, undone: true},
		} {
			var undone []string
			func() {
				defer func() { _ = recover() }()
				_, err := s.Transact(t.Context(), c.claim, func(ctx context.Context) (store.Outcome, store.Decision, error) {
					for _, step := range []string{"first", "second"} {
						if !sqlstore.OnRollback(ctx, func() { undone = append(undone, step) }) {
							t.Errorf("%s: OnRollback refuses within a transaction", name)
						}
					}
					if c.panics {
						panic(failure)
					}
					return conflict, c.decision, c.err
				})
				if !errors.Is(err, c.err) {
					t.Errorf("%s: error %v", name, err)
				}
			}()
			var want []string
			if c.undone {
				want = []string{"second", "first"}
			}
			if !slices.Equal(undone, want) {
				t.Errorf("%s: undone %v, want %v", name, undone, want)
			}
		}
	})
}

// TestDeadlockedMutationsRunAgain makes two transactions wait for each other's
// row. The backend turns the database's error into an outcome of its own, or
// hides it; neither must be recorded.
func TestDeadlockedMutationsRunAgain(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		for name, decide := range map[string]func(error) (store.Outcome, store.Decision, error){
			"returned": func(err error) (store.Outcome, store.Decision, error) { return created(), store.Commit, err },
			"hidden":   func(error) (store.Outcome, store.Decision, error) { return created(), store.Commit, nil },
			"rejected": func(err error) (store.Outcome, store.Decision, error) {
				if err != nil {
					return created(), store.Reject, nil
				}
				return created(), store.Commit, nil
			},
			"aborted": func(err error) (store.Outcome, store.Decision, error) {
				if err != nil {
					return created(), store.Abort, nil
				}
				return created(), store.Commit, nil
			},
		} {
			t.Run(d.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				s, _ := d.migrated(t)
				bank(t, s)
				var runs, undone atomic.Int64
				both := make(chan struct{})
				together(2, func(i int) {
					order := [2]string{"a", "b"}
					if i == 1 {
						order = [2]string{"b", "a"}
					}
					rec, err := s.Transact(t.Context(), newClaim(), func(ctx context.Context) (store.Outcome, store.Decision, error) {
						sqlstore.OnRollback(ctx, func() { undone.Add(1) })
						err := deposit(ctx, sqlstore.DB(ctx, s.Base()), order[0])
						switch n := runs.Add(1); n {
						case 1:
							<-both
						case 2:
							close(both) // each holds one row now
						}
						if err == nil {
							err = deposit(ctx, sqlstore.DB(ctx, s.Base()), order[1])
						}
						return decide(err)
					})
					if rec != nil || err != nil {
						t.Errorf("Transact: record %v, error %v", rec, err)
					}
				})
				if a, b := balance(t, s, "a"), balance(t, s, "b"); a != 2 || b != 2 {
					t.Errorf("balances %d and %d, want 2 and 2", a, b)
				}
				if runs.Load() < 3 {
					t.Errorf("%d runs: there was no deadlock", runs.Load())
				}
				if undone.Load() != runs.Load()-2 {
					t.Errorf("%d of %d runs were undone, want all but 2", undone.Load(), runs.Load())
				}
			})
		}
	}
}

// TestConflictsAreGivenUpInTheEnd bounds how often a mutation runs.
func TestConflictsAreGivenUpInTheEnd(t *testing.T) {
	t.Parallel()
	s, _ := databases[0].migrated(t)
	runs := 0
	rec, err := s.Transact(t.Context(), newClaim(), func(ctx context.Context) (store.Outcome, store.Decision, error) {
		runs++
		_, err := sqlstore.DB(ctx, s.Base()).ExecContext(ctx,
			`DO $$ BEGIN RAISE EXCEPTION 'no luck' USING ERRCODE = 'serialization_failure'; END $$`)
		return created(), store.Commit, err
	})
	if rec != nil || err == nil || !strings.Contains(err.Error(), "no luck") {
		t.Errorf("Transact: record %v, error %v", rec, err)
	}
	if runs != 10 {
		t.Errorf("the mutation ran %d times, want 10", runs)
	}
}

// TestRepeatableRead is case D1: under the isolation at which a transaction does
// not see what committed after it began, the loser of a race still ends up with
// the winner's record.
func TestRepeatableRead(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			dsn := d.fresh(t)
			if d.name == "mysql" {
				dsn += "?tx_isolation='REPEATABLE-READ'"
			} else {
				dsn += "&default_transaction_isolation=repeatable%20read"
			}
			s := open(t, dsn)
			migrateNow(t, s)
			bank(t, s)
			first := newClaim()
			rec, err := s.Transact(t.Context(), again(first), func(ctx context.Context) (store.Outcome, store.Decision, error) {
				// The snapshot is taken by the first read; the twin commits after it.
				if err := deposit(ctx, sqlstore.DB(ctx, s.Base()), "a"); err != nil {
					return store.Outcome{}, store.Abort, err
				}
				if rec, err := s.Transact(context.WithoutCancel(t.Context()), first, committing); err != nil {
					t.Errorf("the twin: %v, %v", rec, err)
				}
				return created(), store.Commit, nil
			})
			if err != nil || rec == nil || rec.Token != first.Token {
				t.Errorf("Transact: record %+v, error %v, want the twin's", rec, err)
			}
			if n := balance(t, s, "a"); n != 0 {
				t.Errorf("the loser's write is there %d times", n)
			}

			together(16, func(i int) {
				claim := again(first)
				got, err := s.Reserve(t.Context(), claim)
				if err != nil || got.Existing == nil || got.Existing.Token != first.Token {
					t.Errorf("Reserve: %+v, %v", got, err)
				}
			})
		})
	}
}

// TestUnknownCommit loses a connection at the commit: before the database hears
// of it, and before its answer is heard. Either way the mutation counts once.
func TestUnknownCommit(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		for name, lose := range map[string]func(*testdb.Proxy) <-chan struct{}{
			"answer":  func(p *testdb.Proxy) <-chan struct{} { return p.LoseAnswer("COMMIT") },
			"request": func(p *testdb.Proxy) <-chan struct{} { return p.LoseRequest("COMMIT") },
		} {
			t.Run(d.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				s, dsn := d.migrated(t)
				bank(t, s)
				proxy, through := d.server(t).Proxy(t, dsn)
				far := open(t, through)
				far.SetSettleTimeout(time.Minute)
				sprung := lose(proxy)
				claim := newClaim()
				runs, undone := 0, 0
				rec, err := far.Transact(t.Context(), claim, func(ctx context.Context) (store.Outcome, store.Decision, error) {
					runs++
					sqlstore.OnRollback(ctx, func() { undone++ })
					return created(), store.Commit, deposit(ctx, sqlstore.DB(ctx, far.Base()), "a")
				})
				<-sprung
				if rec != nil || err != nil {
					t.Fatalf("Transact: record %v, error %v", rec, err)
				}
				if n := balance(t, s, "a"); n != 1 {
					t.Errorf("the mutation was applied %d times", n)
				}
				if undone != runs-1 {
					t.Errorf("%d of %d runs were undone", undone, runs)
				}
				if got, err := s.Load(t.Context(), claim.Key); err != nil || got.Token != claim.Token || !got.Final() {
					t.Errorf("Load: %+v, %v", got, err)
				}
			})
		}
	}
}

// TestUnknownCommitStaysUnknown takes the database away for good: then nobody
// can tell, nothing is undone, and the caller hears so.
func TestUnknownCommitStaysUnknown(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s, dsn := d.migrated(t)
			bank(t, s)
			proxy, through := d.server(t).Proxy(t, dsn)
			far := open(t, through)
			far.SetSettleTimeout(500 * time.Millisecond)
			proxy.CutAtAnswer("COMMIT")
			rec, err := far.Transact(t.Context(), newClaim(), func(ctx context.Context) (store.Outcome, store.Decision, error) {
				sqlstore.OnRollback(ctx, func() { t.Error("undone although it may have been committed") })
				return created(), store.Commit, deposit(ctx, sqlstore.DB(ctx, far.Base()), "a")
			})
			if rec != nil || !errors.Is(err, store.ErrUnknownOutcome) {
				t.Errorf("Transact: record %v, error %v, want %v", rec, err, store.ErrUnknownOutcome)
			}
		})
	}
}
