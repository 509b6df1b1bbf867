package otelmetrics

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

// scope names this package as the source of metrics and spans.
const scope = "github.com/onceberg/onceberg/runtime"

// Observer implements runtime.Observer. It is safe for concurrent use.
type Observer struct {
	meter    metric.Meter
	events   metric.Int64Counter
	duration metric.Float64Histogram
	calls    metric.Float64Histogram
	tracer   trace.Tracer

	// known holds the labels that were seen before: a guard reports the same
	// few all the time, and building them anew costs allocations.
	mu    sync.RWMutex
	known map[labels]*options
}

var _ runtime.Observer = (*Observer)(nil)

// latencyBuckets go from a lookup in memory to the end of a client's patience.
var latencyBuckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// New returns an observer that reports to the given providers. A nil traces
// reports no spans. It fails only when metrics refuses an instrument.
func New(metrics metric.MeterProvider, traces trace.TracerProvider) (*Observer, error) {
	if traces == nil {
		traces = noop.NewTracerProvider()
	}
	meter := metrics.Meter(scope)
	o := &Observer{meter: meter, tracer: traces.Tracer(scope), known: map[labels]*options{}}
	var errs [3]error
	o.events, errs[0] = meter.Int64Counter("onceberg.idempotency.events",
		metric.WithDescription("What became of requests with an idempotency key, and what happened to them on the way."))
	o.duration, errs[1] = meter.Float64Histogram("onceberg.idempotency.duration", metric.WithUnit("s"),
		metric.WithDescription("Time from a keyed request's arrival to its outcome."),
		metric.WithExplicitBucketBoundaries(latencyBuckets...))
	o.calls, errs[2] = meter.Float64Histogram("onceberg.store.call.duration", metric.WithUnit("s"),
		metric.WithDescription("Time that calls of the idempotency store took."),
		metric.WithExplicitBucketBoundaries(latencyBuckets...))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("otelmetrics: %w", err)
	}
	return o, nil
}

// Observe implements runtime.Observer.
func (o *Observer) Observe(ctx context.Context, op *runtime.Operation, event runtime.Event, elapsed time.Duration) {
	o.events.Add(ctx, 1, o.labelled(labels{operation: op.ID, outcome: string(event)}).add...)
	request := trace.SpanFromContext(ctx)
	if onTheWay(event) {
		request.AddEvent(string(event))
		return
	}
	o.duration.Record(ctx, elapsed.Seconds(), o.labelled(labels{outcome: string(event)}).record...)
	if request.IsRecording() {
		o.span(ctx, "idempotency "+string(event), elapsed,
			attribute.String("operation", op.ID), attribute.String("outcome", string(event))).End()
	}
}

// ObserveStore implements runtime.Observer.
func (o *Observer) ObserveStore(ctx context.Context, call runtime.StoreCall, elapsed time.Duration, err error) {
	outcome := storeOutcome(err)
	o.calls.Record(ctx, elapsed.Seconds(), o.labelled(labels{call: string(call), outcome: outcome}).record...)
	if !trace.SpanFromContext(ctx).IsRecording() {
		return // there is no request to show it in
	}
	span := o.span(ctx, "idempotency store "+string(call), elapsed,
		attribute.String("call", string(call)), attribute.String("outcome", outcome))
	if outcome == outcomeFailed {
		// The error's text stays in the log: it may name hosts.
		span.SetStatus(codes.Error, "the store failed")
	}
	span.End()
}

// span starts, after the fact, a span that began elapsed ago.
func (o *Observer) span(ctx context.Context, name string, elapsed time.Duration, attributes ...attribute.KeyValue) trace.Span {
	_, span := o.tracer.Start(ctx, name, trace.WithTimestamp(time.Now().Add(-elapsed)), trace.WithAttributes(attributes...))
	return span
}

// onTheWay tells the events that do not end a request.
func onTheWay(event runtime.Event) bool {
	switch event {
	case runtime.EventWaited, runtime.EventTakenOver, runtime.EventStoreError, runtime.EventLeaseLost, runtime.EventOmitted:
		return true
	}
	return false
}

const outcomeFailed = "failed"

func storeOutcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrLeaseLost), errors.Is(err, store.ErrFull):
		return "answered"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return outcomeFailed
}
