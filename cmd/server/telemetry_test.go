package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled", "--idempotency.max-entries", "1")
	key := newKey(t)
	p.create("a", key)
	p.create("a", key)
	p.create("b", key)
	p.create("c", "nonsense")
	p.create("d", newKey(t)) // makes the store forget the first record
	p.do(http.MethodGet, "/v1/namespaces/none", "")
	text := p.do(http.MethodGet, "/metrics", "").text
	for _, series := range []string{
		`onceberg_idempotency_events_total{operation="createNamespace",outcome="executed"} 2`,
		`onceberg_idempotency_events_total{operation="createNamespace",outcome="replayed"} 1`,
		`onceberg_idempotency_events_total{operation="createNamespace",outcome="mismatch"} 1`,
		`onceberg_idempotency_events_total{operation="createNamespace",outcome="invalid_key"} 1`,
		`onceberg_idempotency_duration_seconds_count{outcome="executed"} 2`,
		`onceberg_store_call_duration_seconds_count{call="finalize",outcome="ok"} 2`,
		`onceberg_store_evictions_total 1`,
		`onceberg_store_records 1`,
		`onceberg_http_requests_in_flight{operation="createNamespace"} 0`,
		`onceberg_http_request_duration_seconds_count{operation="createNamespace",outcome="success"} 3`,
		`onceberg_http_request_duration_seconds_count{operation="createNamespace",outcome="client_error"} 2`,
		`onceberg_http_request_duration_seconds_count{operation="loadNamespaceMetadata",outcome="client_error"} 1`,
	} {
		if !strings.Contains(text, "\n"+series+"\n") {
			t.Errorf("no series %s in\n%s", series, ours(text))
		}
	}
	if strings.Contains(text, key) || strings.Contains(text, "nonsense") {
		t.Error("a key is a label")
	}
	if !strings.Contains(text, "\ngo_goroutines ") {
		t.Error("nothing about the process itself")
	}
	p.stop()
	if log := p.stderr.String(); strings.Count(log, "evicted") != 1 {
		t.Errorf("one warning about evictions was expected:\n%s", log)
	}
}

// TestEvictionByBytes has room for one answer, however many records there may be.
func TestEvictionByBytes(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled", "--idempotency.max-bytes", "1")
	p.create("a", newKey(t))
	p.create("b", newKey(t))
	text := p.do(http.MethodGet, "/metrics", "").text
	for _, series := range []string{"onceberg_store_evictions_total 1", "onceberg_store_records 1"} {
		if !strings.Contains(text, "\n"+series+"\n") {
			t.Errorf("no series %s in\n%s", series, ours(text))
		}
	}
	p.stop()
}

var ownMetric = regexp.MustCompile(`(?m)^onceberg_.*$`)

func ours(metrics string) string { return strings.Join(ownMetric.FindAllString(metrics, -1), "\n") }

// Expired records go by themselves.
func TestPurging(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled", "--idempotency.key-lifetime=PT1S", "--idempotency.grace=PT1S",
		"--idempotency.lease=PT1S", "--idempotency.cleanup-interval=PT1S")
	p.create("a", newKey(t))
	p.eventually(func(metrics string) bool {
		return strings.Contains(metrics, "\nonceberg_store_purged_total 1\n") && strings.Contains(metrics, "\nonceberg_store_records 0\n")
	})
}

// eventually waits until the metrics are as wanted.
func (p *process) eventually(wanted func(metrics string) bool) {
	p.t.Helper()
	deadline, poll := time.After(patience), time.NewTicker(50*time.Millisecond)
	defer poll.Stop()
	for {
		text := p.do(http.MethodGet, "/metrics", "").text
		if wanted(text) {
			return
		}
		select {
		case <-deadline:
			p.t.Fatalf("in vain:\n%s", ours(text))
		case <-poll.C:
		}
	}
}

// A request that is being served is in flight.
func TestInFlight(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled")
	conn, finish := p.beginCreate(t, "a")
	defer conn.Close()
	text := p.do(http.MethodGet, "/metrics", "").text
	for _, series := range []string{`onceberg_http_requests_in_flight{operation="createNamespace"} 1`, "onceberg_idempotency_in_flight 1", "onceberg_idempotency_waiting 0"} {
		if !strings.Contains(text, "\n"+series+"\n") {
			t.Errorf("while it runs, no %s:\n%s", series, ours(text))
		}
	}
	finish()
}

// collector takes what is sent to an OTLP endpoint.
type collector struct {
	mu   sync.Mutex
	sent bytes.Buffer
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		body, _ = gzip.NewReader(r.Body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.URL.Path == "/v1/traces" {
		_, _ = io.Copy(&c.sent, body)
	}
}

// Spans arrive at the endpoint at the latest when the server stops, and belong
// to the client's trace.
func TestTraces(t *testing.T) {
	t.Parallel()
	c := &collector{}
	backend := httptest.NewServer(c)
	defer backend.Close()
	p := start(t, "--idempotency.enabled", "--tracing.otlp-endpoint", backend.URL+"/")
	key := newKey(t)
	for range 2 {
		p.do(http.MethodPost, "/v1/namespaces", `{"namespace":["a"]}`, "Idempotency-Key", key,
			"Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	}
	if code := p.stop(); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, p.stderr)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	sent := c.sent.String()
	trace := "\x0a\xf7\x65\x19\x16\xcd\x43\xdd\x84\x48\xeb\x21\x1c\x80\x31\x9c"
	for _, part := range []string{"onceberg", "createNamespace", "idempotency executed", "idempotency replayed", "idempotency store reserve", trace} {
		if !strings.Contains(sent, part) {
			t.Errorf("%q did not arrive", part)
		}
	}
	if strings.Contains(sent, key) {
		t.Error("a key is in the traces")
	}
}

// A collector that cannot be reached costs the traces and nothing else.
func TestTracesThatNobodyTakes(t *testing.T) {
	t.Parallel()
	p := start(t, "--tracing.otlp-endpoint", "http://127.0.0.1:1", "--shutdown-timeout", "PT0.2S")
	if a := p.create("a", ""); a.status != 200 {
		t.Errorf("%d %s", a.status, a.text)
	}
	p.stop()
}
