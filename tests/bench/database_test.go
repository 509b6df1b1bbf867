package bench_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// kind is a kind of database.
type kind struct {
	name    string
	version string // the query for it
	fresh   func(b *testing.B) (dsn string)
}

var (
	postgres = kind{
		name: "postgres", version: "SHOW server_version",
		fresh: func(b *testing.B) string { return testdb.Postgres(b).Database(b) },
	}
	mariadb = kind{
		name: "mariadb", version: "SELECT VERSION()",
		fresh: func(b *testing.B) string { return testdb.MariaDB(b).Database(b) },
	}
	sqlite = kind{
		name: "sqlite", version: "SELECT sqlite_version()",
		fresh: func(b *testing.B) string { return "sqlite:" + filepath.Join(b.TempDir(), "bench.db") },
	}
)

// pool is how many connections a node has.
const pool = 16

// database is a node's view of a database with accounts in it.
type database struct {
	dsn   string
	db    *bun.DB
	store *sqlstore.Store
}

// open creates a database and prints its version, as a line of configuration of
// the benchmark format. It must be called before a benchmark's line begins, that
// is outside of those that measure.
func (k kind) open(b *testing.B) *database {
	b.Helper()
	d := connect(b, k.fresh(b))
	var version string
	if err := d.db.NewRaw(k.version).Scan(b.Context(), &version); err != nil {
		b.Fatal(err)
	}
	fmt.Fprintf(os.Stdout, "%s: %s\n", k.name, version)
	if err := d.store.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	d.addAccounts(b)
	return d
}

// connect gives a node a pool of its own.
func connect(b *testing.B, dsn string) *database {
	b.Helper()
	options := sqlstore.Options{MaxPoolSize: pool, Logger: slog.New(slog.DiscardHandler)}
	db, err := sqlstore.OpenDB(b.Context(), dsn, options)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	s, err := sqlstore.New(db, options)
	if err != nil {
		b.Fatal(err)
	}
	return &database{dsn: dsn, db: db, store: s}
}

// accounts is how many rows the mutations are spread over.
const accounts = 10_000

type account struct {
	ID      int `bun:",pk"`
	Balance int `bun:",notnull"`
}

func (d *database) addAccounts(b *testing.B) {
	b.Helper()
	if _, err := d.db.NewCreateTable().Model((*account)(nil)).Exec(b.Context()); err != nil {
		b.Fatal(err)
	}
	for next := 1; next <= accounts; {
		batch := make([]account, 1000)
		for i := range batch {
			batch[i].ID = next
			next++
		}
		if _, err := d.db.NewInsert().Model(&batch).Exec(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// mutate changes an account, in the transaction of the context or in its own.
func (d *database) mutate(ctx context.Context) error {
	if tx := sqlstore.DB(ctx, nil); tx != nil {
		return move(ctx, tx)
	}
	return d.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return move(ctx, tx) })
}

// move is the mutation: one SELECT and one UPDATE.
func move(ctx context.Context, db bun.IDB) error {
	id := 1 + rand.N(accounts)
	var balance int
	if err := db.NewRaw("SELECT balance FROM accounts WHERE id = ?", id).Scan(ctx, &balance); err != nil {
		return err
	}
	_, err := db.NewRaw("UPDATE accounts SET balance = ? WHERE id = ?", balance+1, id).Exec(ctx)
	return err
}

func (d *database) exec(b *testing.B, statement string, args ...any) {
	b.Helper()
	if _, err := d.db.NewRaw(statement, args...).Exec(b.Context()); err != nil {
		b.Fatalf("%s: %v", statement, err)
	}
}
