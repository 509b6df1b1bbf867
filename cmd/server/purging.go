package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/purge"
)

// startPurging deletes expired records every interval until the returned
// function is called.
func startPurging(s store.Store, interval time.Duration, t *telemetry, log *slog.Logger) (stop func(), err error) {
	meter := t.metrics.Meter(scope)
	purged, err1 := meter.Int64Counter("onceberg.store.purged",
		metric.WithDescription("Expired records that this node has deleted."))
	failures, err2 := meter.Int64Counter("onceberg.store.purge.failures",
		metric.WithDescription("Rounds of deleting expired records that failed."))
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	purged.Add(ctx, 0) // so that both can be watched before anything happens
	failures.Add(ctx, 0)
	purger, err := purge.New(s, interval, purge.Options{
		OnPurged: func(n int) { purged.Add(ctx, int64(n)) },
		OnError:  func(error) { failures.Add(ctx, 1) },
		Logger:   log,
	})
	if err != nil {
		cancel()
		return nil, fmt.Errorf("idempotency.cleanup-interval: %w", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		purger.Run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}, nil
}
