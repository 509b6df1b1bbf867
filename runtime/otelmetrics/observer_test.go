package otelmetrics_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/codes"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/runtime/otelmetrics"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// collected are an observer with all that it reported.
type collected struct {
	observer *otelmetrics.Observer
	reader   *metric.ManualReader
	spans    *tracetest.SpanRecorder
	traces   *trace.TracerProvider
}

func collect(t testing.TB) *collected {
	t.Helper()
	c := &collected{reader: metric.NewManualReader(), spans: tracetest.NewSpanRecorder()}
	c.traces = trace.NewTracerProvider(trace.WithSpanProcessor(c.spans))
	observer, err := otelmetrics.New(metric.NewMeterProvider(metric.WithReader(c.reader)), c.traces)
	if err != nil {
		t.Fatal(err)
	}
	c.observer = observer
	return c
}

// counts gives, for each series of an instrument, how often it was measured.
func (c *collected) counts(t *testing.T, instrument string) map[string]int {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := c.reader.Collect(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Name != instrument {
				continue
			}
			switch series := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range series.DataPoints {
					counts[p.Attributes.Encoded(labelEncoder{})] += int(p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range series.DataPoints {
					counts[p.Attributes.Encoded(labelEncoder{})] += int(p.Count)
				}
			}
		}
	}
	return counts
}

const (
	keyOne = "0197f3a0-0000-7000-8000-000000000001"
	keyTwo = "0197f3a0-0000-7000-8000-000000000002"
)

// A guard's own reports become series and spans.
func TestGuardReports(t *testing.T) {
	t.Parallel()
	c := collect(t)
	records, err := memory.New(memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{Observer: c.observer})
	if err != nil {
		t.Fatal(err)
	}
	op := &runtime.Operation{ID: "createThing", Method: http.MethodPost, Path: "/things", Idempotent: true, KeyHeader: "Idempotency-Key"}
	e := echo.New()
	e.POST("/things", guard.Handler(op, func(c echo.Context) error { return c.String(http.StatusOK, "done") }))
	for _, request := range []struct{ key, body string }{
		{keyOne, "{}"}, {keyOne, "{}"}, {keyOne, `{"a":1}`}, {keyTwo, "{}"}, {"secret", "{}"}, {"", "{}"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/things", strings.NewReader(request.body))
		if request.key != "" {
			r.Header.Set("Idempotency-Key", request.key)
		}
		ctx, span := c.traces.Tracer("test").Start(t.Context(), "request")
		e.ServeHTTP(httptest.NewRecorder(), r.WithContext(ctx))
		span.End()
	}
	want := map[string]int{
		"operation=createThing outcome=executed":    2,
		"operation=createThing outcome=replayed":    1,
		"operation=createThing outcome=mismatch":    1,
		"operation=createThing outcome=invalid_key": 1,
	}
	if got := c.counts(t, "onceberg.idempotency.events"); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	want = map[string]int{"outcome=executed": 2, "outcome=replayed": 1, "outcome=mismatch": 1, "outcome=invalid_key": 1}
	if got := c.counts(t, "onceberg.idempotency.duration"); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	want = map[string]int{"call=reserve outcome=ok": 4, "call=finalize outcome=ok": 2}
	if got := c.counts(t, "onceberg.store.call.duration"); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	names := map[string]int{}
	for _, span := range c.spans.Ended() {
		names[span.Name()]++
		if span.Name() != "request" && !span.Parent().IsValid() {
			t.Errorf("%s belongs to no request", span.Name())
		}
		if text := fmt.Sprint(span.Attributes(), span.Events()); strings.Contains(text, "secret") || strings.Contains(text, keyOne[:8]) {
			t.Errorf("%s holds something of the request: %s", span.Name(), text)
		}
	}
	want = map[string]int{
		"request": 6, "idempotency executed": 2, "idempotency replayed": 1, "idempotency mismatch": 1, "idempotency invalid_key": 1,
		"idempotency store reserve": 4, "idempotency store finalize": 2,
	}
	if !cmp.Equal(names, want) {
		t.Error(cmp.Diff(want, names))
	}
}

func TestStoreOutcomes(t *testing.T) {
	t.Parallel()
	for outcome, errs := range map[string][]error{
		"ok":        {nil},
		"answered":  {store.ErrNotFound, fmt.Errorf("x: %w", store.ErrLeaseLost), store.ErrFull},
		"cancelled": {fmt.Errorf("x: %w", context.Canceled)},
		"failed":    {errors.New("no route to host"), context.DeadlineExceeded, store.ErrCorrupt, store.ErrUnknownOutcome, store.ErrClosed},
	} {
		c := collect(t)
		for _, err := range errs {
			c.observer.ObserveStore(t.Context(), runtime.CallLoad, time.Millisecond, err)
		}
		want := map[string]int{"call=load outcome=" + outcome: len(errs)}
		if got := c.counts(t, "onceberg.store.call.duration"); !cmp.Equal(got, want) {
			t.Error(cmp.Diff(want, got))
		}
	}
}

// What happens on the way is an event of the request's span, a decision a span
// of its own that began when the request came.
func TestSpans(t *testing.T) {
	t.Parallel()
	c := collect(t)
	ctx, request := c.traces.Tracer("test").Start(t.Context(), "request")
	op := &runtime.Operation{ID: "createThing"}
	c.observer.Observe(ctx, op, runtime.EventWaited, time.Second)
	c.observer.Observe(ctx, op, runtime.EventReplayed, time.Minute)
	c.observer.ObserveStore(ctx, runtime.CallReserve, time.Second, errors.New("host db.internal is down"))
	request.End()
	c.observer.Observe(t.Context(), op, runtime.EventReplayed, time.Minute)
	ended := map[string]trace.ReadOnlySpan{}
	for _, span := range c.spans.Ended() {
		ended[span.Name()] = span
	}
	if names := slices.Sorted(maps.Keys(ended)); !cmp.Equal(names, []string{"idempotency replayed", "idempotency store reserve", "request"}) {
		t.Fatalf("spans: %q", names)
	}
	if len(c.spans.Ended()) != 3 {
		t.Error("a decision outside of any request got a span")
	}
	decision, failed := ended["idempotency replayed"], ended["idempotency store reserve"]
	if took := decision.EndTime().Sub(decision.StartTime()); took < time.Minute || took > 2*time.Minute {
		t.Errorf("the decision took %v", took)
	}
	if failed.Status().Code != codes.Error || strings.Contains(failed.Status().Description, "db.internal") {
		t.Errorf("status of a failed call: %+v", failed.Status())
	}
	if events := ended["request"].Events(); len(events) != 1 || events[0].Name != "waited" {
		t.Errorf("events of the request: %+v", events)
	}
}

// Reporting is on the way of every keyed request and allocates nothing.
func TestAllocations(t *testing.T) {
	c := collect(t)
	op := &runtime.Operation{ID: "createThing"}
	ctx := t.Context()
	report := func() {
		c.observer.Observe(ctx, op, runtime.EventExecuted, time.Millisecond)
		c.observer.ObserveStore(ctx, runtime.CallReserve, time.Millisecond, nil)
	}
	report()
	if n := testing.AllocsPerRun(1000, report); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// An observer without traces, and one whose metrics go nowhere, work.
func TestNothingToReportTo(t *testing.T) {
	t.Parallel()
	o, err := otelmetrics.New(metricnoop.NewMeterProvider(), nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Observe(t.Context(), &runtime.Operation{ID: "x"}, runtime.EventExecuted, time.Second)
	o.ObserveStore(t.Context(), runtime.CallLoad, time.Second, nil)
}
