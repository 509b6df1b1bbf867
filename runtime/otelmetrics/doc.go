// Package otelmetrics reports what a guard does through OpenTelemetry: it
// implements runtime.Observer, so that package runtime itself needs no metrics
// library.
//
// # Metrics
//
// Names are given as a Prometheus exporter writes them.
//
//   - onceberg_idempotency_events_total{operation,outcome} counts what became of
//     keyed requests and what happened to them on the way. The outcomes are the
//     events of package runtime.
//   - onceberg_idempotency_duration_seconds{outcome} is how long after its
//     arrival a keyed request came to its outcome.
//   - onceberg_idempotency_in_flight and onceberg_idempotency_waiting are gauges of
//     the requests that a guard serves, once [Observer.Watch] was told of it.
//   - onceberg_store_call_duration_seconds{call,outcome} is how long the calls of
//     the store took. Outcome is ok, answered (the store said no, in one of its
//     own words), cancelled (nobody waits any more) or failed.
//
// Labels hold operation ids, outcomes and names of calls only, so that their
// number is bounded by the document, whatever clients send.
//
// # Traces
//
// Each keyed request whose context carries a recorded span gets a child span for
// the guard's decision, and one for each call of the store. What happened on the
// way, such as waiting for another attempt, is an event of the request's span.
package otelmetrics
