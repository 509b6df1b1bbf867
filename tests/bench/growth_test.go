package bench_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/onceberg/onceberg/runtime"
)

// What is asked of the modes whose costs are followed as something grows.
var axisRatios = []ratio{{"transactional", "none"}, {"two-phase", "none"}, {"replay", "none"}}

func axis(unkeyed, transactional, twoPhase, replay func(context.Context, int) error) []mode {
	return []mode{{"none", unkeyed}, {"transactional", transactional}, {"two-phase", twoPhase}, {"replay", replay}}
}

// BenchmarkClients varies how many requests are under way at a time. The node's
// pool stays as it is, so that most of 64 wait for a connection.
func BenchmarkClients(b *testing.B) {
	d := postgres.open(b)
	transactional := d.start(b, runtime.Config{Mode: runtime.ModeTransactional}, answerSmall)
	twoPhase := d.start(b, runtime.Config{}, answerSmall)
	modes := axis(twoPhase.unkeyed, transactional.keyed, twoPhase.keyed, twoPhase.replays(b, 500))
	for _, n := range []int{1, 4, 16, 64} {
		b.Run(fmt.Sprintf("clients=%d", n), func(b *testing.B) { compare(b, n, modes, axisRatios...) })
	}
}

// BenchmarkNodes spreads the clients over nodes, each with a guard and a pool of
// its own, on one database. The nodes are in one process: this is about what they
// cost each other in the database. Replays mostly reach another node than the one
// that executed.
func BenchmarkNodes(b *testing.B) {
	d := postgres.open(b)
	var transactional, twoPhase []node
	for range 3 {
		own := connect(b, d.dsn)
		transactional = append(transactional, own.start(b, runtime.Config{Mode: runtime.ModeTransactional}, answerSmall))
		twoPhase = append(twoPhase, own.start(b, runtime.Config{}, answerSmall))
	}
	twoPhase[0].replays(b, 500)
	keys := d.recordKeys(b)
	for _, n := range []int{1, 3} {
		modes := axis(
			func(ctx context.Context, client int) error { return twoPhase[client%n].unkeyed(ctx, client) },
			func(ctx context.Context, client int) error { return transactional[client%n].keyed(ctx, client) },
			func(ctx context.Context, client int) error { return twoPhase[client%n].keyed(ctx, client) },
			func(ctx context.Context, client int) error {
				return twoPhase[client%n].send(ctx, keys[rand.N(len(keys))], true)
			})
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) { compare(b, clients, modes, axisRatios...) })
	}
}

// BenchmarkRecords varies how many records there are, up to BENCH_ROWS. What the
// benchmark itself adds is taken away again before each run.
func BenchmarkRecords(b *testing.B) {
	limit := 1_000_000
	if testing.Short() {
		limit = 10_000
	}
	if given := os.Getenv("BENCH_ROWS"); given != "" {
		var err error
		if limit, err = strconv.Atoi(given); err != nil {
			b.Fatalf("BENCH_ROWS: %v", err)
		}
	}
	d := postgres.open(b)
	transactional := d.start(b, runtime.Config{Mode: runtime.ModeTransactional}, answerSmall)
	twoPhase := d.start(b, runtime.Config{}, answerSmall)
	newest := time.Now().Add(-time.Minute)
	have := 0
	for _, n := range []int{10_000, 1_000_000, 10_000_000} {
		if n > limit {
			break
		}
		d.fill(b, twoPhase, newest, have, n, 24*time.Hour)
		have = n
		modes := axis(twoPhase.unkeyed, transactional.keyed, twoPhase.keyed, func(ctx context.Context, _ int) error {
			return twoPhase.send(ctx, keyAt(newest, rand.N(n)), true)
		})
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			d.exec(b, "DELETE FROM iceberg_idempotency_key_meta WHERE idempotency_key > ?", keyAt(newest, 0))
			compare(b, clients, modes, axisRatios...)
		})
	}
}

// fill executes one request and copies its record under older and older keys, one
// for each millisecond, until there are as many as wanted. The copies expire later
// than the record by some time, or earlier.
func (d *database) fill(b *testing.B, n node, newest time.Time, have, want int, later time.Duration) {
	b.Helper()
	if have == 0 {
		if err := n.send(b.Context(), keyAt(newest, 0), false); err != nil {
			b.Fatal(err)
		}
		have = 1
	}
	// The store's own connections give up after half a minute.
	patient := &database{db: bun.NewDB(sql.OpenDB(pgdriver.NewConnector(
		pgdriver.WithDSN(d.dsn), pgdriver.WithReadTimeout(time.Hour))), pgdialect.New())}
	defer patient.db.Close()
	patient.exec(b, `INSERT INTO iceberg_idempotency_key_meta (idempotency_key, operation_binding, principal_hash, request_hash,
			owner, attempt, lease_expires_at, http_status, response_headers, response_encoding, response_summary,
			audit_info, created_at, finalized_at, expires_at)
		SELECT overlay(lpad(to_hex(?::bigint - i), 12, '0') placing '-' from 9 for 0) || '-7000-8000-000000000000',
			operation_binding, principal_hash, request_hash,
			owner, attempt, lease_expires_at, http_status, response_headers, response_encoding, response_summary,
			audit_info, created_at, finalized_at, expires_at + ? + i
		FROM iceberg_idempotency_key_meta, generate_series(?::bigint, ?::bigint) AS i
		WHERE idempotency_key = ?`, newest.UnixMilli(), later.Milliseconds(), have, want-1, keyAt(newest, 0))
	patient.exec(b, "VACUUM ANALYZE iceberg_idempotency_key_meta")
	patient.exec(b, "CHECKPOINT")
}
