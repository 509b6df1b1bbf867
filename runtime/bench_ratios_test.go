package runtime

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store/memory"
)

// turn is how many requests one side sends before it is the next one's turn.
const turn = 1000

// side is one kind of request.
type side struct {
	name string
	*requester
	key  func(i int) string
	prep func() // runs before a turn, off the clock
	sent int
	took []float64 // µs a request, of each turn
}

func (s *side) send(b *testing.B) {
	s.requester.send(b, s.key(s.sent))
	s.sent++
}

func (s *side) turn(b *testing.B) {
	if s.prep != nil {
		s.prep()
	}
	start := time.Now()
	for range turn {
		s.send(b)
	}
	s.took = append(s.took, float64(time.Since(start).Nanoseconds())/turn/1000)
}

// BenchmarkGuardRatios holds requests that the guard serves against the same
// handler without a guard: the first with a key, in a store with room and in one
// that evicts for each, and one that does nothing; a replay; and a request without
// a key. All take turns, in another order each round, and what is reported is the
// median of differences within a round.
func BenchmarkGuardRatios(b *testing.B) {
	roomy, forget := forgetful(b)
	full := newBenchGuard(b, newBenchStore(b, memory.Options{}))
	bare := &side{name: "bare", requester: newRequester(nil), key: benchKeys()}
	sides := []*side{
		bare,
		{name: "first", requester: newRequester(roomy), key: benchKeys(), prep: forget},
		{name: "full", requester: newRequester(full), key: benchKeys()},
		{name: "alone", requester: newRequester(newBenchGuard(b, vacantStore{})), key: benchKeys()},
		{name: "replay", requester: newRequester(full), key: func(int) string { return oldKey }},
		{name: "unkeyed", requester: newRequester(full), key: func(int) string { return "" }},
	}
	delete(sides[5].request.Header, "Idempotency-Key")
	for _, s := range sides {
		for range 2 * memory.DefaultMaxEntries / turn { // fills the store that is to be full
			s.turn(b)
		}
		s.took = nil
	}
	for b.Loop() {
		for _, i := range rand.Perm(len(sides)) {
			sides[i].turn(b)
		}
	}
	b.ReportMetric(0, "ns/op") // of a round, which says nothing
	for _, s := range sides {
		b.ReportMetric(medianOf(s.took, func(i int) float64 { return s.took[i] }), s.name+"-µs")
		if s == bare {
			continue
		}
		b.ReportMetric(medianOf(s.took, func(i int) float64 { return s.took[i] - bare.took[i] }), s.name+"-bare-µs")
		b.ReportMetric(medianOf(s.took, func(i int) float64 { return s.took[i] / bare.took[i] }), s.name+"/bare")
	}
	reportAllocs(b, bare, sides)
}

func reportAllocs(b *testing.B, bare *side, sides []*side) {
	allocs := func(s *side) float64 {
		if s.prep != nil {
			s.prep()
		}
		return testing.AllocsPerRun(turn, func() { s.send(b) })
	}
	without := allocs(bare)
	for _, s := range sides[1:] {
		b.ReportMetric(allocs(s)-without, s.name+"-bare-allocs")
	}
}

// forgetful is a guard on a store that always has room, if forget is called
// before each turn: everything in it expires and is purged.
func forgetful(b *testing.B) (guard *Guard, forget func()) {
	var ahead atomic.Int64
	s := newBenchStore(b, memory.Options{
		MaxEntries: 4 * turn,
		Clock:      func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) },
	})
	return newBenchGuard(b, s), func() {
		ahead.Add(int64(24 * time.Hour))
		if _, err := s.PurgeExpired(context.Background(), 4*turn); err != nil {
			b.Fatal(err)
		}
	}
}

func medianOf(turns []float64, value func(i int) float64) float64 {
	values := make([]float64, len(turns))
	for i := range values {
		values[i] = value(i)
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
