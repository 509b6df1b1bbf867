package bench_test

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/runtime"
)

// clients is how many requests are under way at a time, where nothing else is
// said.
const clients = 16

// BenchmarkKey measures what a key costs on each database: a mutation in two
// phases and in one transaction, against the same without a key. The plain modes
// do the least that SQL needs for either way, in a table of three columns, and no
// guard: they show what the machine allows. A replay is held against reading the
// record by its primary key, through bun as a backend would.
func BenchmarkKey(b *testing.B) {
	for _, k := range []kind{postgres, mariadb, sqlite} {
		b.Run(k.name, func(b *testing.B) {
			d := k.open(b)
			d.createPlain(b)
			transactional := d.start(b, runtime.Config{Mode: runtime.ModeTransactional}, answerSmall)
			twoPhase := d.start(b, runtime.Config{}, answerSmall)
			replay := twoPhase.replays(b, 500)
			modes := []mode{
				{"none", twoPhase.unkeyed},
				{"transactional", transactional.keyed},
				{"two-phase", twoPhase.keyed},
				{"plain-transactional", d.plainTransactional},
				{"plain-two-phase", d.plainTwoPhase},
				{"replay", replay},
				{"select", d.selecting(b)},
			}
			ratios := []ratio{
				{"transactional", "none"},
				{"two-phase", "none"},
				{"plain-transactional", "none"},
				{"plain-two-phase", "none"},
				{"replay", "select"},
				{"replay", "none"},
			}
			if k.name == postgres.name {
				modes = append(modes, mode{"select-prepared", d.selectingPrepared(b)})
				ratios = append(ratios, ratio{"replay", "select-prepared"})
			}
			b.Run("clients="+strconv.Itoa(clients), func(b *testing.B) { compare(b, clients, modes, ratios...) })
		})
	}
}

// plain is the least that a record can be.
type plain struct {
	K      string `bun:"type:varchar(36),pk"`
	Status int
	Body   []byte
}

func (d *database) createPlain(b *testing.B) {
	b.Helper()
	if _, err := d.db.NewCreateTable().Model((*plain)(nil)).Exec(b.Context()); err != nil {
		b.Fatal(err)
	}
}

func (d *database) plainTransactional(ctx context.Context, _ int) error {
	return d.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := move(ctx, tx); err != nil {
			return err
		}
		row := &plain{uuid.Must(uuid.NewV7()).String(), 200, []byte(answerBody)}
		_, err := tx.NewInsert().Model(row).Ignore().Exec(ctx)
		return err
	})
}

func (d *database) plainTwoPhase(ctx context.Context, _ int) error {
	row := &plain{K: uuid.Must(uuid.NewV7()).String()}
	if _, err := d.db.NewInsert().Model(row).Ignore().Exec(ctx); err != nil {
		return err
	}
	if err := d.mutate(ctx); err != nil {
		return err
	}
	row.Status, row.Body = 200, []byte(answerBody)
	_, err := d.db.NewUpdate().Model(row).WherePK().Exec(ctx)
	return err
}

// record is a record as the table holds it.
type record struct {
	bun.BaseModel `bun:"table:iceberg_idempotency_key_meta"`

	Key       string  `bun:"idempotency_key,pk"`
	Operation string  `bun:"operation_binding"`
	Principal string  `bun:"principal_hash"`
	Request   string  `bun:"request_hash"`
	Owner     string  `bun:"owner"`
	Attempt   int64   `bun:"attempt"`
	Lease     *int64  `bun:"lease_expires_at"`
	Status    *int64  `bun:"http_status"`
	Header    *string `bun:"response_headers"`
	Encoding  *string `bun:"response_encoding"`
	Payload   []byte  `bun:"response_summary"`
	Audit     string  `bun:"audit_info"`
	Created   int64   `bun:"created_at"`
	Finalized *int64  `bun:"finalized_at"`
	Expires   int64   `bun:"expires_at"`
}

// recordKeys are the keys of records to read, those that replays made.
func (d *database) recordKeys(b *testing.B) []string {
	b.Helper()
	var keys []string
	err := d.db.NewSelect().Model((*record)(nil)).Column("idempotency_key").
		Where("idempotency_key < ?", keyAt(time.Now(), 0)).Scan(b.Context(), &keys)
	if err != nil || len(keys) == 0 {
		b.Fatalf("%d keys, error %v", len(keys), err)
	}
	return keys
}

func (d *database) selecting(b *testing.B) func(context.Context, int) error {
	b.Helper()
	keys := d.recordKeys(b)
	return func(ctx context.Context, _ int) error {
		return d.db.NewSelect().Model(new(record)).Where("idempotency_key = ?", keys[rand.N(len(keys))]).Scan(ctx)
	}
}

// selectingPrepared reads the record without bun, by a prepared statement.
func (d *database) selectingPrepared(b *testing.B) func(context.Context, int) error {
	b.Helper()
	keys := d.recordKeys(b)
	statement, err := d.db.DB.PrepareContext(b.Context(), "SELECT idempotency_key, operation_binding, principal_hash, "+
		"request_hash, owner, attempt, lease_expires_at, http_status, response_headers, response_encoding, "+
		"response_summary, audit_info, created_at, finalized_at, expires_at "+
		"FROM iceberg_idempotency_key_meta WHERE idempotency_key = $1")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { statement.Close() })
	return func(ctx context.Context, _ int) error {
		return scan(statement.QueryRowContext(ctx, keys[rand.N(len(keys))]))
	}
}

func scan(row *sql.Row) error {
	var r record
	return row.Scan(&r.Key, &r.Operation, &r.Principal, &r.Request, &r.Owner, &r.Attempt, &r.Lease, &r.Status,
		&r.Header, &r.Encoding, &r.Payload, &r.Audit, &r.Created, &r.Finalized, &r.Expires)
}
