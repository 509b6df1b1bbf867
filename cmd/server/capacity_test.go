package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// BenchmarkRecordSize measures bytes per record for the capacity formula in
// docs/operations.md: of a drop, which has no body; of a create that answers 100
// bytes; and of a body or summary of 1 KiB that does not compress.
func BenchmarkRecordSize(b *testing.B) {
	for _, payload := range []int{0, 100, 1024} {
		for _, kind := range []string{"memory", "sqlite", "postgres", "mysql"} {
			b.Run(fmt.Sprintf("store=%s/payload=%d", kind, payload), func(b *testing.B) {
				const records = 2000
				s, size := measurable(b, kind)
				before := size()
				for b.Loop() {
					for range records {
						keep(b, s, payload)
					}
				}
				b.ReportMetric(float64(size()-before)/float64(records*b.N), "bytes/record")
				goruntime.KeepAlive(s)
			})
		}
	}
}

func keep(b *testing.B, s store.Store, payload int) {
	key, err := uuid.NewV7()
	if err != nil {
		b.Fatal(err)
	}
	claim := store.Claim{
		Key: key.String(), Token: store.NewToken(), Lease: time.Minute, Retain: time.Hour,
		Binding: store.Binding{Operation: "updateTable /v1/namespaces/analytics%1Fevents/tables/page_views"},
	}
	if r, err := s.Reserve(b.Context(), claim); err != nil || !r.Acquired {
		b.Fatalf("%+v, %v", r, err)
	}
	outcome := store.Outcome{
		Status: http.StatusOK, Kind: store.KindBody, Header: http.Header{"Content-Type": {"application/json"}},
		Payload: []byte(strings.Repeat("x", payload)),
	}
	if err := s.Finalize(b.Context(), claim.Key, claim.Token, outcome, claim.Retain); err != nil {
		b.Fatal(err)
	}
}

// measurable opens an empty store and returns how many bytes it takes now.
func measurable(b *testing.B, kind string) (s store.Store, size func() int64) {
	b.Helper()
	if kind == "memory" {
		m, err := memory.New(memory.Options{MaxEntries: 1 << 20})
		if err != nil {
			b.Fatal(err)
		}
		return m, heap
	}
	dsn := "sqlite:" + filepath.Join(b.TempDir(), "records.db")
	query := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
	switch kind {
	case "postgres":
		dsn = testdb.Postgres(b).Database(b)
		query = "SELECT pg_total_relation_size('iceberg_idempotency_key_meta')"
	case "mysql":
		dsn = testdb.MariaDB(b).Database(b)
		query = "SELECT data_length + index_length FROM information_schema.tables WHERE table_name = 'iceberg_idempotency_key_meta' AND table_schema = database()"
	}
	db, err := sqlstore.OpenDB(b.Context(), dsn, sqlstore.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	if err := sqlstore.Migrate(b.Context(), db); err != nil {
		b.Fatal(err)
	}
	records, err := sqlstore.New(db, sqlstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return records, func() int64 { return ask(b, db, kind, query) }
}

func ask(b *testing.B, db *bun.DB, kind, query string) (bytes int64) {
	b.Helper()
	if kind == "mysql" { // or the numbers are old
		if _, err := db.ExecContext(b.Context(), "ANALYZE TABLE iceberg_idempotency_key_meta"); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.QueryRowContext(context.Background(), query).Scan(&bytes); err != nil {
		b.Fatal(err)
	}
	return bytes
}

func heap() int64 {
	goruntime.GC()
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
