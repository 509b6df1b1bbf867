package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestAccessLog(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled", "--log.format", "json")
	key := newKey(t)
	p.create("a", key)
	p.create("a", key)
	p.do(http.MethodGet, "/v1/namespaces/none?secret=s3cr3t", "", "X-Request-Id", "from-the-proxy", "Cookie", "s3cr3t")
	p.do(http.MethodGet, "/healthz", "")
	p.do(http.MethodGet, "/nope", "")
	p.stop()
	type line struct {
		Msg, Method, Path, Operation string
		Status                       int
		Replayed                     bool
		RequestID                    string `json:"request_id"`
	}
	var requests []line
	for text := range strings.Lines(p.stderr.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("not JSON: %s", text)
		}
		if l.Msg == "request" {
			requests = append(requests, l)
		}
	}
	want := []line{
		{"request", "POST", "/v1/namespaces", "createNamespace", 200, false, ""},
		{"request", "POST", "/v1/namespaces", "createNamespace", 200, true, ""},
		{"request", "GET", "/v1/namespaces/none", "loadNamespaceMetadata", 404, false, "from-the-proxy"},
		{"request", "GET", "/nope", "", 400, false, ""},
	}
	if len(requests) != len(want) {
		t.Fatalf("%d lines for %d requests:\n%s", len(requests), len(want), p.stderr)
	}
	for i := range want {
		if want[i].RequestID == "" && requests[i].RequestID != "" {
			requests[i].RequestID = ""
		}
		if requests[i] != want[i] {
			t.Errorf("line %d: %+v, want %+v", i, requests[i], want[i])
		}
	}
	if log := p.stderr.String(); strings.Contains(log, "s3cr3t") || strings.Contains(log, key) {
		t.Errorf("the log holds a secret or a whole key:\n%s", log)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	p := start(t)
	for given, kept := range map[string]bool{
		"4bf92f35-77b3:1.a_B": true, "": false, "with space": false, "new\tline": false, strings.Repeat("x", 65): false, "ü": false,
	} {
		a := p.do(http.MethodGet, "/v1/config", "", "X-Request-Id", given)
		id := a.header.Get("X-Request-Id")
		if (id == given) != kept || len(id) < 16 {
			t.Errorf("%q became %q", given, id)
		}
	}
	first := p.do(http.MethodGet, "/v1/config", "").header.Get("X-Request-Id")
	if second := p.do(http.MethodGet, "/v1/config", "").header.Get("X-Request-Id"); first == second {
		t.Errorf("two requests have the id %q", first)
	}
}
