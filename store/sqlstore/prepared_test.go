package sqlstore_test

import (
	"context"
	"database/sql"
	"log/slog"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/driver/pgdriver"
	"github.com/uptrace/bun/driver/sqliteshim"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// exercise runs each statement of a store once.
func exercise(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	one, two := newClaim(), newClaim()
	mustReserve(t, s, one)
	for range 3 { // within a millisecond, perhaps
		if err := s.Renew(t.Context(), one.Key, one.Token, one.Lease); err != nil {
			t.Errorf("Renew: %v", err)
		}
	}
	if err := s.Finalize(t.Context(), one.Key, one.Token, created(), one.Retain); err != nil {
		t.Errorf("Finalize: %v", err)
	}
	if rec, err := s.Load(t.Context(), one.Key); err != nil || !rec.Final() {
		t.Errorf("Load: %+v, %v", rec, err)
	}
	if got, err := s.Reserve(t.Context(), again(one)); err != nil || got.Existing == nil || got.Existing.Token != one.Token {
		t.Errorf("Reserve again: %+v, %v", got, err)
	}
	if rec, err := s.Transact(t.Context(), two, committing); rec != nil || err != nil {
		t.Errorf("Transact: %v, %v", rec, err)
	}
	if rec, err := s.Transact(t.Context(), again(two), committing); err != nil || rec == nil || rec.Token != two.Token {
		t.Errorf("Transact again: %+v, %v", rec, err)
	}
}

// TestPreparedStatements runs them by name where that works, and does without
// where sessions do not keep what they were told: the calls in between succeed.
func TestPreparedStatements(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(t *testing.T, conn bun.IConn) // what happens to the only session
		works bool
	}{
		"kept":      {spoil: func(*testing.T, bun.IConn) {}, works: true},
		"forgotten": {spoil: func(t *testing.T, conn bun.IConn) { mustExec(t, conn, "DEALLOCATE ALL") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for step, call := range map[string]func(t *testing.T, s *sqlstore.Store){
				"reserve":  func(t *testing.T, s *sqlstore.Store) { mustReserve(t, s, newClaim()) },
				"exercise": exercise,
				"transact": func(t *testing.T, s *sqlstore.Store) {
					runs := 0
					rec, err := s.Transact(t.Context(), newClaim(), func(context.Context) (store.Outcome, store.Decision, error) {
						runs++
						return created(), store.Commit, nil
					})
					if rec != nil || err != nil || (runs == 1) != c.works {
						t.Errorf("Transact: %v, %v after %d runs", rec, err, runs)
					}
				},
			} {
				s, err := sqlstore.Open(t.Context(), databases[0].fresh(t), sqlstore.Options{
					MaxPoolSize: 1,
					Logger:      slog.New(slog.DiscardHandler),
				})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				migrateNow(t, s)
				exercise(t, s)
				if !s.Prepared() {
					t.Fatal("the statements are not prepared")
				}
				c.spoil(t, s.Base())
				call(t, s)
				if s.Prepared() != c.works {
					t.Errorf("%s: prepared statements are in use: %t, want %t", step, s.Prepared(), c.works)
				}
				exercise(t, s)
			}
		})
	}
}

// TestStatementPreparedBySomebodyElse gives the connection a session that knows
// the statements already, as a pooler may.
func TestStatementPreparedBySomebodyElse(t *testing.T) {
	t.Parallel()
	dsn := databases[0].fresh(t)
	migrateNow(t, open(t, dsn))
	db := openDB(t, dsn, sqlstore.Options{MaxPoolSize: 1})
	for _, preparation := range sqlstore.Preparations {
		mustExec(t, db, preparation)
	}
	s, err := sqlstore.New(db, sqlstore.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	exercise(t, s)
}

// TestDatabaseOpenedByTheBackend works on connections that are not of OpenDB's
// making, whose drivers have their own defaults.
func TestDatabaseOpenedByTheBackend(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		var db *bun.DB
		switch dsn := d.fresh(t); d.name {
		case "postgres":
			db = bun.NewDB(sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(dsn))), pgdialect.New())
		case "mysql":
			sqldb, err := sql.Open("mysql", dsn)
			if err != nil {
				t.Fatal(err)
			}
			db = bun.NewDB(sqldb, mysqldialect.New())
		case "sqlite":
			sqldb, err := sql.Open(sqliteshim.ShimName, strings.Replace(dsn, "sqlite:", "file:", 1))
			if err != nil {
				t.Fatal(err)
			}
			sqldb.SetMaxOpenConns(1)
			db = bun.NewDB(sqldb, sqlitedialect.New())
		}
		defer db.Close()
		s, err := sqlstore.New(db, sqlstore.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		migrateNow(t, s)
		exercise(t, s)
	})
}

func TestPreparationNames(t *testing.T) {
	t.Parallel()
	for name, preparation := range sqlstore.Preparations {
		if !strings.HasPrefix(name, "onceberg_") || len(name) > 63 || !strings.HasPrefix(preparation, "PREPARE "+name+" AS ") {
			t.Errorf("%s is defined by %q", name, preparation)
		}
		if strings.Contains(preparation, "?") {
			t.Errorf("an argument of %s has no number: %q", name, preparation)
		}
	}
	if len(sqlstore.Preparations) != 3 {
		t.Errorf("%d statements are prepared, want 3", len(sqlstore.Preparations))
	}
}
