package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	prometheusexporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

// scope names the server as the source of its own metrics and spans.
const scope = "github.com/onceberg/onceberg/cmd/server"

// telemetry is where metrics and spans go.
type telemetry struct {
	registry *prometheus.Registry
	metrics  *sdkmetric.MeterProvider
	traces   trace.TracerProvider
	// flush sends the spans that are still here, and ends the sending.
	flush func(context.Context) error
}

func newTelemetry(ctx context.Context, s *settings.Settings, log *slog.Logger) (*telemetry, error) {
	t := &telemetry{
		registry: prometheus.NewRegistry(),
		traces:   noop.NewTracerProvider(),
		flush:    func(context.Context) error { return nil },
	}
	exporter, err := prometheusexporter.New(prometheusexporter.WithRegisterer(t.registry),
		prometheusexporter.WithoutScopeInfo(), prometheusexporter.WithoutTargetInfo())
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	t.metrics = sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))
	t.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if s.Tracing.Endpoint != "" {
		return t, t.sendTraces(ctx, s.Tracing.Endpoint, log)
	}
	return t, nil
}

// sendTraces begins to send spans. That a collector cannot be reached stops
// nothing but the traces.
func (t *telemetry) sendTraces(ctx context.Context, endpoint string, log *slog.Logger) error {
	target, err := url.JoinPath(endpoint, "v1/traces")
	if err != nil {
		return fmt.Errorf("tracing.otlp-endpoint: %w", err)
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(target))
	if err != nil {
		return fmt.Errorf("tracing.otlp-endpoint: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("telemetry", slog.Any("cause", err))
	}))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(
		resource.NewSchemaless(attribute.String("service.name", "onceberg"), attribute.String("service.version", version()))))
	t.traces, t.flush = provider, provider.Shutdown
	return nil
}

// handler serves the metrics in Prometheus's form.
func (t *telemetry) handler() http.Handler {
	return promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{Registry: t.registry})
}

func (t *telemetry) close(ctx context.Context) error {
	return errors.Join(t.flush(ctx), t.metrics.Shutdown(ctx))
}

// latencyBuckets go from a replay out of memory to the end of a client's
// patience.
var latencyBuckets = metric.WithExplicitBucketBoundaries(
	.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60)
