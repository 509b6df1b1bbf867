package conformance

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/sosodev/duration"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
)

// The requests under test are sent once, each by itself: what becomes of them is the
// question. Those that prepare a case and clean up after it are to arrive, and go
// through package client, as a client's would: with keys that are used for nothing
// else, and again when an answer is lost. To a server that promises nothing they go
// once, without a key.

// carryAttempts is how often package client sends a request of the kit's own, and
// carryPause the longest pause between. They are few and short enough for a server that
// is gone, or fails whatever has a key, to be noticed soon.
const (
	carryAttempts = 5
	carryPause    = 200 * time.Millisecond
)

// newCarrier is the round tripper for the kit's own requests. It is told of the server
// by the configuration that the kit asks for through it.
func newCarrier(base http.RoundTripper, o Options) (http.RoundTripper, error) {
	carrier, err := client.NewTransport(client.Options{
		Operations: generated.Operations, Base: base, MaxAttempts: carryAttempts, AttemptTimeout: o.Timeout,
		MinBackoff: shortestPause, MaxBackoff: carryPause,
	})
	if err != nil {
		return nil, fmt.Errorf("conformance: the client for the kit's own requests: %w", err)
	}
	return carrier, nil
}

// promises reports whether the server advertises a lifetime that a client can go by.
func (s *server) promises() bool {
	_, err := duration.Parse(s.config.lifetime())
	return err == nil
}

// own sends a request of the kit's own until it has arrived. A server that refuses
// whatever has a key is asked without one: that is for the cases to find out, and
// nothing to fail their preparation. Before long it is not asked with one first.
func (t *trial) own(ctx context.Context, c call) answer {
	if c.method == http.MethodGet {
		return t.again(ctx, c)
	}
	if !t.server.promises() || t.server.keyless.sure() {
		return t.settle(ctx, c, way{})
	}
	a := t.settle(ctx, c, way{carried: true, note: "with a key of its own"})
	if a.ok() {
		t.server.keyless.reset()
	}
	if a.ok() || a.status == http.StatusNotFound || ctx.Err() != nil {
		return a
	}
	if plain := t.settle(ctx, c, way{note: "without a key"}); plain.ok() {
		t.server.keyless.add()
		return plain
	}
	return a
}

// enough is how often in a row something has to happen for the kit to be sure that it
// always does.
const enough = 3

// streak counts what happens in a row.
type streak struct{ n atomic.Int32 }

func (s *streak) add()       { s.n.Add(1) }
func (s *streak) sure() bool { return s.n.Load() >= enough }

// reset begins anew, unless the kit is sure already.
func (s *streak) reset() {
	for n := s.n.Load(); n < enough && !s.n.CompareAndSwap(n, 0); n = s.n.Load() {
	}
}

// again reads, and reads again when the answer was lost, which is nothing to a read.
// A server that takes all the time there is for it is not asked again.
func (t *trial) again(ctx context.Context, c call) answer {
	started := time.Now()
	for n := 1; ; n++ {
		a := t.settle(ctx, c, way{})
		lost := a.err != nil && a.header.Get("Retry-After") == "" && time.Since(started) < t.options.Timeout
		if !lost || n == carryAttempts || sleep(ctx, shortestPause) != nil {
			return a
		}
	}
}
