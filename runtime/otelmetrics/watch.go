package otelmetrics

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/metric"

	"github.com/onceberg/onceberg/runtime"
)

// Watch reports how many keyed requests a guard is serving, and how many of them
// wait for another, whenever metrics are collected. It is called once, with the
// guard that reports to o.
func (o *Observer) Watch(guard *runtime.Guard) error {
	_, err1 := o.meter.Int64ObservableGauge("onceberg.idempotency.in_flight",
		metric.WithDescription("Keyed requests that are being served, those that wait included."),
		metric.WithInt64Callback(gauge(guard.InFlight)))
	_, err2 := o.meter.Int64ObservableGauge("onceberg.idempotency.waiting",
		metric.WithDescription("Keyed requests that wait for another one with their key."),
		metric.WithInt64Callback(gauge(guard.Waiting)))
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("otelmetrics: %w", err)
	}
	return nil
}

func gauge(value func() int) metric.Int64Callback {
	return func(_ context.Context, o metric.Int64Observer) error {
		o.Observe(int64(value()))
		return nil
	}
}
