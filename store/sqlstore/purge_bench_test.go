package sqlstore_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store/purge"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// BenchmarkPurge deletes expired rows, b.N of them.
func BenchmarkPurge(b *testing.B) {
	for _, d := range databases {
		b.Run(d.name, func(b *testing.B) {
			s := d.forBench(b)
			fill(b, s, b.N)
			b.ResetTimer()
			for total := 0; total < b.N; {
				n, err := s.PurgeExpired(b.Context(), 500)
				if err != nil {
					b.Fatal(err)
				}
				total += n
			}
		})
	}
}

// BenchmarkForegroundBesidePurge compares the p99 of keyed writes, at a rate that
// leaves the database idle for most of the time, with that while a purger works
// off a million expired rows on PostgreSQL.
func BenchmarkForegroundBesidePurge(b *testing.B) {
	s := databases[0].forBench(b)
	const expired = 1_000_000
	mustExec(b, s.Base(), `INSERT INTO iceberg_idempotency_key_meta
		SELECT 'expired-' || i, 'createTable ns', repeat('a', 64), repeat('b', 64), 'o', 1, NULL, 200,
			'{"ETag":["1"]}', 'summary', 's3://warehouse/ns/orders/metadata/00001.metadata.json', '', i, i, i
		FROM generate_series(1, ?) AS i`, expired)
	mustExec(b, s.Base(), "ANALYZE")
	const rate, writes = 100, 2000
	b.ResetTimer()
	alone := paced(b, s, rate, writes)

	ctx, stop := context.WithCancel(b.Context())
	purged := 0
	purger, err := purge.New(s, time.Millisecond, purge.Options{OnPurged: func(n int) { purged += n }})
	if err != nil {
		b.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { purger.Run(ctx) })
	beside := paced(b, s, rate, writes)
	stop()
	running.Wait()

	b.ReportMetric(float64(alone.Microseconds()), "alone-p99-µs")
	b.ReportMetric(float64(beside.Microseconds()), "beside-p99-µs")
	b.ReportMetric(beside.Seconds()/alone.Seconds(), "p99-ratio")
	b.ReportMetric(float64(purged), "purged")
}

// paced sends keyed writes at a steady rate, whether or not earlier ones have
// ended, and returns the 99th percentile of how long they took.
func paced(b *testing.B, s *sqlstore.Store, rate, writes int) time.Duration {
	b.Helper()
	took := make([]time.Duration, writes)
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	var group sync.WaitGroup
	for i := range took {
		<-tick.C
		group.Go(func() {
			start := time.Now()
			claim := newClaim()
			err := reserve(b.Context(), s, claim)
			if err == nil {
				err = s.Finalize(b.Context(), claim.Key, claim.Token, created(), claim.Retain)
			}
			if err != nil {
				b.Error(err)
			}
			took[i] = time.Since(start)
		})
	}
	group.Wait()
	slices.Sort(took)
	return took[len(took)*99/100]
}
