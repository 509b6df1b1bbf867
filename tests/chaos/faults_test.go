package chaos

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/onceberg/onceberg/client/clienttest"
)

// markHeader tells the network which mutation a request belongs to.
const markHeader = "X-Chaos-Mark"

// faults decides what happens to each request on its way. It follows from the seed,
// the mutation's mark and the number of its arrival.
type faults struct {
	seed uint64
	ctx  context.Context // ends delays
	calm atomic.Bool     // nothing happens any more

	mu       sync.Mutex
	arrivals map[string]uint64

	lost, refused, duplicated, delayed atomic.Int64
}

func newFaults(ctx context.Context, seed uint64) *faults {
	return &faults{seed: seed, ctx: ctx, arrivals: map[string]uint64{}}
}

// chances returns the choices for the next arrival with a mark.
func (f *faults) chances(mark string) *rand.Rand {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.arrivals[mark]++
	h := fnv.New64a()
	_, _ = h.Write([]byte(mark)) // a hash takes everything
	return rand.New(rand.NewPCG(f.seed^h.Sum64(), f.arrivals[mark]))
}

// The shares of requests in percent.
const (
	delays     = 10
	losses     = 20 // answers
	dropped    = 3
	refusals   = 2
	duplicates = 8
)

// choose is what the proxy asks. It takes its time when a request is delayed.
func (f *faults) choose(r *http.Request) clienttest.Fault {
	mark := r.Header.Get(markHeader)
	if f.calm.Load() || r.Method == http.MethodGet || mark == "" {
		return clienttest.Fault{}
	}
	random := f.chances(mark)
	if random.IntN(100) < delays {
		f.delayed.Add(1)
		pause(f.ctx, time.Duration(5+random.IntN(300))*time.Millisecond)
	}
	return f.fault(random)
}

func (f *faults) fault(random *rand.Rand) clienttest.Fault {
	switch choice := random.IntN(100); {
	case choice < losses:
		f.lost.Add(1)
		return loss(random)
	case choice < losses+dropped:
		f.refused.Add(1)
		return clienttest.Fault{Kind: clienttest.Drop}
	case choice < losses+dropped+refusals:
		f.refused.Add(1)
		return clienttest.Fault{Kind: clienttest.Refuse, Status: http.StatusServiceUnavailable}
	case choice < losses+dropped+refusals+duplicates:
		f.duplicated.Add(1)
		return clienttest.Fault{Kind: clienttest.Duplicate}
	}
	return clienttest.Fault{}
}

// loss is one of the ways to lose an answer.
func loss(random *rand.Rand) clienttest.Fault {
	gateways := []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}
	switch random.IntN(10) {
	case 0, 1:
		return clienttest.Fault{Kind: clienttest.Cut}
	case 2:
		return clienttest.Fault{Kind: clienttest.Reset}
	case 3, 4:
		return clienttest.Fault{Kind: clienttest.Abandon}
	case 5:
		return clienttest.Fault{Kind: clienttest.Replace, Status: gateways[random.IntN(len(gateways))]}
	}
	return clienttest.Fault{Kind: clienttest.Lose}
}

// pause waits, but not longer than the context.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
