package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
	"github.com/onceberg/onceberg/store/storetest"
)

func TestStore(t *testing.T) {
	onEach(t, func(t *testing.T, d database) { storetest.Run(t, d.instance) })
}

func TestTransactional(t *testing.T) {
	onEach(t, func(t *testing.T, d database) { storetest.RunTransactional(t, d.instance) })
}

// instance is the storetest.Factory of a database.
func (d database) instance(tb testing.TB) storetest.Instance {
	dsn := d.fresh(tb)
	through := dsn
	var proxy *testdb.Proxy
	if d.server != nil {
		proxy, through = d.server(tb).Proxy(tb, dsn)
	}
	s := open(tb, through)
	migrateNow(tb, s)
	mustExec(tb, s.Base(), "CREATE TABLE rows_of_backend (name VARCHAR(100) NOT NULL)")

	handles := []*sqlstore.Store{s}
	var skew time.Duration
	instance := storetest.Instance{
		Store: s,
		Reopen: func(tb testing.TB) store.Store {
			other := open(tb, through)
			other.SetSkew(skew)
			handles = append(handles, other)
			return other
		},
		Advance: func(by time.Duration) {
			skew += by
			for _, handle := range handles {
				handle.SetSkew(skew)
			}
		},
		Now:            func() time.Time { return now(tb, s) },
		ClockPrecision: time.Millisecond,
		Stall:          func() func() { return d.stall(tb, s, dsn) },
		Counter:        counter{s},
	}
	if proxy != nil {
		instance.Outage = func() func() {
			proxy.Cut()
			return proxy.Restore
		}
	}
	return instance
}

// now reads the database's clock.
func now(tb testing.TB, s *sqlstore.Store) time.Time {
	tb.Helper()
	at, err := s.Now(context.Background())
	if err != nil {
		tb.Fatalf("read the clock: %v", err)
	}
	return at
}

// counter is the backend of the suite's transactions.
type counter struct{ s *sqlstore.Store }

func (c counter) Add(ctx context.Context, name string) error {
	_, err := sqlstore.DB(ctx, c.s.Base()).NewRaw("INSERT INTO rows_of_backend (name) VALUES (?)", name).Exec(ctx)
	return err
}

func (c counter) Count(ctx context.Context, name string) (n int, err error) {
	err = sqlstore.DB(ctx, c.s.Base()).NewRaw("SELECT count(*) FROM rows_of_backend WHERE name = ?", name).Scan(ctx, &n)
	return n, err
}
