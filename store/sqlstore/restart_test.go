package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// TestServerRestarts stops and kills a real server under a store that has
// connections open. Once it is back the first call succeeds: no connection of
// the old server is used again.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *testdb.Server{
		"postgres": testdb.NewPostgres,
		"mysql":    testdb.NewMariaDB,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := start(t)
			s := open(t, srv.Database(t))
			migrateNow(t, s)
			claim := newClaim()
			for end, stop := range map[string]func(testing.TB){"stop": srv.Stop, "kill": srv.Kill} {
				claim = newClaim()
				mustReserve(t, s, claim)
				keepConnectionsOpen(t, s)
				stop(t)
				// The processes of a killed PostgreSQL notice a moment later.
				eventually(t, "calls to fail after "+end, func() bool {
					ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
					defer cancel()
					_, err := s.Reserve(ctx, newClaim())
					return err != nil
				})
				srv.Start(t)
				if err := s.Finalize(t.Context(), claim.Key, claim.Token, created(), claim.Retain); err != nil {
					t.Errorf("%s: Finalize after the restart: %v", end, err)
				}
				if _, err := s.Transact(t.Context(), newClaim(), committing); err != nil {
					t.Errorf("%s: Transact after the restart: %v", end, err)
				}
			}
			if rec, err := s.Load(t.Context(), claim.Key); err != nil || !rec.Final() {
				t.Errorf("Load: %+v, %v", rec, err)
			}
		})
	}
}

// keepConnectionsOpen fills the pool with idle connections.
func keepConnectionsOpen(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	together(8, func(int) {
		conn, err := s.Base().Conn(t.Context())
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		if err := conn.PingContext(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestLostAnswersAreAskedForAgain loses the answer to each kind of call that can
// be repeated: the caller does not notice.
func TestLostAnswersAreAskedForAgain(t *testing.T) {
	t.Parallel()
	for _, d := range databases[:2] {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s, dsn := d.migrated(t)
			proxy, through := d.server(t).Proxy(t, dsn)
			far := open(t, through)
			claim := newClaim()

			sprung := proxy.LoseAnswer("INSERT INTO")
			got, err := far.Reserve(t.Context(), claim)
			<-sprung
			if err != nil || !got.Acquired || got.TakenOver {
				t.Fatalf("Reserve: %+v, %v", got, err)
			}
			sprung = proxy.LoseAnswer("UPDATE")
			if err := far.Renew(t.Context(), claim.Key, claim.Token, claim.Lease); err != nil {
				t.Errorf("Renew: %v", err)
			}
			<-sprung
			sprung = proxy.LoseAnswer("UPDATE")
			if err := far.Finalize(t.Context(), claim.Key, claim.Token, created(), claim.Retain); err != nil {
				t.Errorf("Finalize: %v", err)
			}
			<-sprung
			sprung = proxy.LoseAnswer("SELECT")
			if rec, err := far.Load(t.Context(), claim.Key); err != nil || !rec.Final() {
				t.Errorf("Load: %+v, %v", rec, err)
			}
			<-sprung
			if rec, err := s.Load(t.Context(), claim.Key); err != nil || rec.Token != claim.Token {
				t.Errorf("Load: %+v, %v", rec, err)
			}
		})
	}
}
