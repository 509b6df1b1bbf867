package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/onceberg/onceberg/store/memory"
)

// evictions counts records that were forgotten before their time and, now and
// then, warns about it: each is a promise to a client that may not be kept.
type evictions struct {
	counter metric.Int64Counter
	log     *slog.Logger
	warned  atomic.Int64 // when last, in nanoseconds since 1970
}

const warnInterval = time.Minute

func newEvictions(t *telemetry, log *slog.Logger) (*evictions, error) {
	counter, err := t.metrics.Meter(scope).Int64Counter("onceberg.store.evictions",
		metric.WithDescription("Live records that the in-memory store gave up for lack of room."))
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	counter.Add(context.Background(), 0) // so that it can be watched before it happens
	return &evictions{counter: counter, log: log}, nil
}

func (e *evictions) add(count int, _ memory.Cause) {
	e.counter.Add(context.Background(), int64(count))
	now, last := time.Now().UnixNano(), e.warned.Load()
	if now-last >= int64(warnInterval) && e.warned.CompareAndSwap(last, now) {
		e.log.Warn("records are evicted before their lifetime ends; their retries would execute again",
			slog.String("keys", "idempotency.max-entries, idempotency.max-bytes"))
	}
}
