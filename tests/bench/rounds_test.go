package bench_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// mode is one way to have something done.
type mode struct {
	name string
	do   func(ctx context.Context, client int) error
}

// ratio is a pair of modes, whose throughputs are divided.
type ratio struct{ of, to string }

// turn is how long a mode runs before it is the next one's turn.
func turn() time.Duration {
	if testing.Short() {
		return 50 * time.Millisecond
	}
	return 250 * time.Millisecond
}

// compare lets the modes take turns, in another order each round, and reports the
// throughput of each and the ratios asked for. A ratio is taken within a round,
// where both sides met the same machine; of all rounds the median is reported,
// so that one hiccup of a disk does not decide.
func compare(b *testing.B, clients int, modes []mode, ratios ...ratio) {
	b.Helper()
	for _, m := range modes { // opens connections and prepares statements
		throughput(b, clients, m.do)
	}
	rates := map[string][]float64{}
	for b.Loop() {
		for _, i := range rand.Perm(len(modes)) {
			name := modes[i].name
			rates[name] = append(rates[name], throughput(b, clients, modes[i].do))
		}
	}
	b.ReportMetric(0, "ns/op") // of a round, which says nothing
	for _, m := range modes {
		b.ReportMetric(median(rates[m.name]), m.name+"-req/s")
	}
	for _, r := range ratios {
		each := make([]float64, len(rates[r.of]))
		for i := range each {
			each[i] = rates[r.of][i] / rates[r.to][i]
		}
		b.ReportMetric(median(each), r.of+"/"+r.to)
	}
}

// throughput has clients do something for a turn and returns how often per
// second it was done.
func throughput(b *testing.B, clients int, do func(context.Context, int) error) float64 {
	b.Helper()
	var done atomic.Int64
	var group sync.WaitGroup
	start := time.Now()
	end := start.Add(turn())
	for client := range clients {
		group.Go(func() {
			for time.Now().Before(end) {
				if err := do(b.Context(), client); err != nil {
					b.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	group.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return float64(done.Load()) / time.Since(start).Seconds()
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
