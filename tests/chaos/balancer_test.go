package chaos

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/specwatch"
)

// balancer hands each request to any of the nodes, notes what they answer whether
// the client hears of it or not, and sends some requests a second time, late.
type balancer struct {
	nodes     []*node
	faults    *faults
	transport http.RoundTripper
	network   *http.Transport // below it
	ctx       context.Context // ends what is under way
	late      sync.WaitGroup
	copies    atomic.Int64

	mu    sync.Mutex
	notes map[string][]answer // by key
}

// newBalancer returns one whose exchanges with the nodes are held against the
// specification.
func newBalancer(t *testing.T, nodes []*node, f *faults) *balancer {
	t.Helper()
	network := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}
	return &balancer{
		nodes: nodes, faults: f, ctx: t.Context(), notes: map[string][]answer{},
		transport: specwatch.Transport(t, network), network: network,
	}
}

// What a late copy waits for, at most, and the share of requests that have one in
// percent.
const (
	latest     = 1500 * time.Millisecond
	lateCopies = 6
)

// ServeHTTP implements http.Handler. A node that dies in between is a connection
// that ends.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	b.copyLater(r, body)
	response, text, err := b.forward(r, body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(text) // a client that has gone asks again
}

// copyLater sends some mutations once more when nobody expects it.
func (b *balancer) copyLater(r *http.Request, body []byte) {
	if r.Header.Get(keyHeader) == "" || b.faults.calm.Load() || rand.IntN(100) >= lateCopies {
		return
	}
	b.copies.Add(1)
	again := r.Clone(b.ctx)
	b.late.Go(func() {
		pause(b.ctx, rand.N(latest))
		_, _, _ = b.forward(again, body) // noted, and for nobody
	})
}

// forward sends a request to a node.
func (b *balancer) forward(r *http.Request, body []byte) (*http.Response, []byte, error) {
	n := b.nodes[rand.IntN(len(b.nodes))]
	addr := n.address()
	if addr == "" {
		return nil, nil, errors.New("the node is down")
	}
	onward, err := http.NewRequestWithContext(b.ctx, r.Method, addr+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	onward.Header = r.Header.Clone()
	response, err := b.transport.RoundTrip(onward)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, nil, err
	}
	b.note(r.Header.Get(keyHeader), newAnswer(n.name, response.StatusCode, response.Header, text))
	return response, text, nil
}

func (b *balancer) note(key string, a answer) {
	if key == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes[key] = append(b.notes[key], a)
}

// close waits for the copies that are still to come.
func (b *balancer) close() {
	b.late.Wait()
	b.network.CloseIdleConnections()
}
