package bench_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/purge"
)

// BenchmarkPurge compares how long keyed requests take beside a purger that has
// as much to do as it can, and alone, in turns. They come at a steady rate, which
// leaves the database idle for most of the time. A purger that runs out of
// records fails the benchmark: it would have measured nothing.
func BenchmarkPurge(b *testing.B) {
	d := postgres.open(b)
	n := d.start(b, runtime.Config{}, answerSmall)
	batch := 500_000 // more than one run purges
	if testing.Short() {
		batch = 100_000
	}
	newest := time.Now().Add(-time.Hour)
	filled := 0
	refill := func() {
		d.fill(b, n, newest, filled, filled+batch, -24*time.Hour)
		filled += batch
	}
	refill()
	b.Run("postgres", func(b *testing.B) {
		refill()
		var alone, beside []time.Duration
		var purged, ran float64
		without := func() { alone = append(alone, n.paced(b)...) }
		with := func() {
			count, took := d.purging(b, func() { beside = append(beside, n.paced(b)...) })
			purged, ran = purged+float64(count), ran+took.Seconds()
		}
		n.paced(b) // what the refill leaves behind is nobody's
		for b.Loop() {
			turns := []func(){without, with}
			for _, i := range rand.Perm(len(turns)) {
				turns[i]()
			}
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(percentile(alone, 50), "alone-p50-ms")
		b.ReportMetric(percentile(beside, 50), "beside-p50-ms")
		b.ReportMetric(percentile(alone, 99), "alone-p99-ms")
		b.ReportMetric(percentile(beside, 99), "beside-p99-ms")
		b.ReportMetric(percentile(beside, 50)/percentile(alone, 50), "p50-beside/alone")
		b.ReportMetric(percentile(beside, 99)/percentile(alone, 99), "p99-beside/alone")
		b.ReportMetric(purged/ran, "purged/s")
	})
}

// purging runs a purger while do runs, and returns how much it purged.
func (d *database) purging(b *testing.B, do func()) (purged int, took time.Duration) {
	b.Helper()
	purger, err := purge.New(d.store, time.Millisecond, purge.Options{
		OnPurged: func(n int) { purged += n },
		OnError:  func(err error) { b.Error(err) },
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { purger.Run(ctx) })
	start := time.Now()
	do()
	took = time.Since(start)
	stop()
	running.Wait()
	var left bool
	if err := d.db.NewRaw("SELECT EXISTS (SELECT FROM iceberg_idempotency_key_meta WHERE expires_at < ?)",
		start.Add(-time.Minute).UnixMilli()).Scan(b.Context(), &left); err != nil || !left {
		b.Fatalf("nothing was left to purge after %d records, error %v", purged, err)
	}
	return purged, took
}

// paced sends keyed requests for a while, 200 a second whether or not earlier
// ones have ended, and returns how long each took.
func (n node) paced(b *testing.B) []time.Duration {
	b.Helper()
	took := make([]time.Duration, 400)
	if testing.Short() {
		took = took[:100]
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	var group sync.WaitGroup
	for i := range took {
		<-tick.C
		group.Go(func() {
			start := time.Now()
			if err := n.send(b.Context(), uuid.Must(uuid.NewV7()).String(), false); err != nil {
				b.Error(err)
			}
			took[i] = time.Since(start)
		})
	}
	group.Wait()
	return took
}

// percentile is in milliseconds.
func percentile(took []time.Duration, p int) float64 {
	sorted := slices.Sorted(slices.Values(took))
	return float64(sorted[(len(sorted)-1)*p/100].Microseconds()) / 1000
}
