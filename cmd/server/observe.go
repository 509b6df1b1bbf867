package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// operationKey is where a request's echo.Context holds its operation's id.
const operationKey = "operation"

// observation measures and traces catalog calls. Its labels are operation ids
// and outcomes.
type observation struct {
	inFlight metric.Int64UpDownCounter
	duration metric.Float64Histogram
	tracer   trace.Tracer
}

func newObservation(t *telemetry) (*observation, error) {
	meter := t.metrics.Meter(scope)
	inFlight, err1 := meter.Int64UpDownCounter("onceberg.http.requests.in_flight",
		metric.WithDescription("Catalog calls that are being served."))
	duration, err2 := meter.Float64Histogram("onceberg.http.request.duration", metric.WithUnit("s"),
		metric.WithDescription("Time that catalog calls took, keyed or not."), latencyBuckets)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	return &observation{inFlight, duration, t.traces.Tracer(scope)}, nil
}

// of returns the middleware for the routes of one operation.
func (o *observation) of(operation string) echo.MiddlewareFunc {
	label := attribute.String("operation", operation)
	only := metric.WithAttributeSet(attribute.NewSet(label))
	byOutcome := map[string]metric.MeasurementOption{}
	for _, outcome := range outcomes {
		byOutcome[outcome] = metric.WithAttributeSet(attribute.NewSet(label, attribute.String("outcome", outcome)))
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set(operationKey, operation)
			r := c.Request()
			parent := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
			ctx, span := o.tracer.Start(parent, operation, trace.WithSpanKind(trace.SpanKindServer),
				trace.WithAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", c.Path())))
			c.SetRequest(r.WithContext(ctx))
			began, status := time.Now(), 0
			o.inFlight.Add(ctx, 1, only)
			defer func() {
				o.inFlight.Add(ctx, -1, only)
				o.duration.Record(ctx, time.Since(began).Seconds(), byOutcome[outcomeOf(status)])
				endSpan(span, status)
			}()
			if err := next(c); err != nil {
				c.Error(err)
			}
			status = c.Response().Status
			return nil
		}
	}
}

// The outcomes of a call. One that was cut off has no status.
const (
	outcomeSuccess = "success"
	outcomeClient  = "client_error"
	outcomeServer  = "server_error"
	outcomeCut     = "cut"
)

var outcomes = []string{outcomeSuccess, outcomeClient, outcomeServer, outcomeCut}

func outcomeOf(status int) string {
	switch {
	case status == 0:
		return outcomeCut
	case status < http.StatusBadRequest:
		return outcomeSuccess
	case status < http.StatusInternalServerError:
		return outcomeClient
	}
	return outcomeServer
}

func endSpan(span trace.Span, status int) {
	if status != 0 {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
	}
	if status == 0 || status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}
