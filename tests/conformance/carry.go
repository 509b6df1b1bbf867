package conformance

import (
	"context"
	"fmt"
	"net/http"
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

// carryAttempts is how often package client sends a request of the kit's own. It is
// few enough for a server that is gone to be noticed soon.
const carryAttempts = 5

// newCarrier is the round tripper for the kit's own requests. It is told of the server
// by the configuration that the kit asks for through it.
func newCarrier(base http.RoundTripper, o Options) (http.RoundTripper, error) {
	carrier, err := client.NewTransport(client.Options{
		Operations: generated.Operations, Base: base, MaxAttempts: carryAttempts, AttemptTimeout: o.Timeout,
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
// nothing to fail their preparation.
func (t *trial) own(ctx context.Context, c call) answer {
	if c.method == http.MethodGet {
		return t.again(ctx, c)
	}
	if !t.server.promises() {
		return t.settle(ctx, c, way{})
	}
	a := t.settle(ctx, c, way{carried: true, note: "with a key of its own"})
	if a.ok() || a.status == http.StatusNotFound || ctx.Err() != nil {
		return a
	}
	if plain := t.settle(ctx, c, way{note: "without a key"}); plain.ok() {
		return plain
	}
	return a
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
