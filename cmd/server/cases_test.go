package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestCreateIsAppliedOnce(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled")
	key := newKey(t)
	first, second := p.create("a", key), p.create("a", strings.ToUpper(key))
	if first.status != 200 || second.status != 200 || first.text != second.text {
		t.Errorf("%d %s, then %d %s", first.status, first.text, second.status, second.text)
	}
	if first.header.Get("Idempotency-Replayed") != "" || second.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%v, then %v", first.header, second.header)
	}
	if other := p.create("a", newKey(t)); other.status != 409 {
		t.Errorf("another key: %d %s", other.status, other.text)
	}
	if reused := p.create("b", key); reused.status != 422 || reused.typ() != "IdempotencyKeyReusedException" {
		t.Errorf("another request: %d %s", reused.status, reused.text)
	}
}

// Case A12: the lifetime is advertised at the top level, without weeks, and not
// at all when the feature is off, where a key is ignored whatever it holds.
func TestLifetimeIsAdvertised(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]any{
		"": nil,
		"--idempotency.enabled --idempotency.key-lifetime P1W":     "PT168H",
		"--idempotency.enabled --idempotency.key-lifetime PT1800S": "PT30M",
		"--idempotency.enabled --idempotency.key-lifetime PT90S":   "PT1M30S",
		"--idempotency.enabled --idempotency.key-lifetime P1DT12H": "PT36H",
	} {
		a := start(t, strings.Fields(args)...).do(http.MethodGet, "/v1/config", "")
		if got := a.body["idempotency-key-lifetime"]; a.status != 200 || got != want {
			t.Errorf("%q: %d, %v, want %v", args, a.status, got, want)
		}
	}
	off := start(t)
	if a := off.create("a", "whatever"); a.status != 200 {
		t.Errorf("a key while keys are off: %d %s", a.status, a.text)
	}
	if a := off.create("a", "whatever"); a.status != 409 {
		t.Errorf("a key while keys are off, again: %d %s", a.status, a.text)
	}
}

// Case A21: reads ignore the header, good or bad, and leave no record behind.
func TestReadsIgnoreTheKey(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled")
	p.create("a", newKey(t))
	key := newKey(t)
	for range 2 {
		for _, header := range []string{key, "nonsense", ""} {
			for _, request := range []struct {
				method, path string
				status       int
			}{
				{http.MethodGet, "/v1/config", 200},
				{http.MethodGet, "/v1/namespaces", 200},
				{http.MethodGet, "/v1/namespaces/a", 200},
				{http.MethodHead, "/v1/namespaces/a", 204},
				{http.MethodHead, "/v1/namespaces/none", 404},
				{http.MethodGet, "/v1/namespaces/a/tables/t", 404},
			} {
				a := p.do(request.method, request.path, "", "Idempotency-Key", header)
				if a.status != request.status || a.header.Get("Idempotency-Replayed") != "" {
					t.Errorf("%s %s with key %q: %d %v", request.method, request.path, header, a.status, a.header)
				}
			}
		}
	}
	if text := p.do(http.MethodGet, "/metrics", "").text; !strings.Contains(text, "\nonceberg_store_records 1\n") {
		t.Errorf("reads left records behind:\n%s", text)
	}
	if a := p.create("b", key); a.status != 200 || a.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("the key of the reads is still free: %d %s", a.status, a.text)
	}
}

// Case C1: levels stay apart in storage and in the binding of a key, with either
// separator.
func TestLevelsStayApart(t *testing.T) {
	t.Parallel()
	for _, separator := range []string{"%1F", "%2E"} {
		p := start(t, "--idempotency.enabled", "--catalog.namespace-separator", separator)
		for _, levels := range []string{`["a.b","c"]`, `["a","b"]`} {
			if a := p.do(http.MethodPost, "/v1/namespaces", `{"namespace":`+levels+`}`); a.status != 200 {
				t.Fatalf("create %s: %d %s", levels, a.status, a.text)
			}
		}
		if a := p.do(http.MethodGet, "/v1/namespaces/a.b", ""); a.status != 404 {
			t.Errorf(`["a.b"] and ["a","b"] are the same: %d %s`, a.status, a.text)
		}
		for _, path := range []string{"a.b%1Fc", "a.b%1fc", "a.b" + separator + "c"} {
			if a := p.do(http.MethodGet, "/v1/namespaces/"+path, ""); !strings.Contains(a.text, `["a.b","c"]`) {
				t.Errorf("GET %s: %d %s", path, a.status, a.text)
			}
		}
		if a := p.do(http.MethodGet, "/v1/namespaces?parent=a.b%1F", ""); a.status != 400 {
			t.Errorf("an empty level: %d %s", a.status, a.text)
		}
		key := newKey(t)
		for body, status := range map[string]int{`{"updates":{"x":"y"}}`: 200} {
			a := p.do(http.MethodPost, "/v1/namespaces/a.b%1Fc/properties", body, "Idempotency-Key", key)
			b := p.do(http.MethodPost, "/v1/namespaces/a%1Fb/properties", body, "Idempotency-Key", key)
			if a.status != status || b.status != 422 || b.typ() != "IdempotencyKeyReusedException" {
				t.Errorf("one key on two namespaces: %d %s, then %d %s", a.status, a.text, b.status, b.text)
			}
		}
	}
}

// Case C7: whatever goes wrong, wherever, is answered in Iceberg's form.
func TestErrorsHaveOneForm(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled", "--max-request-body", "1 KiB")
	large := `{"namespace":["` + strings.Repeat("x", 2000) + `"]}`
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		typ                      string
	}{
		{"no route", http.MethodGet, "/v1/nope", "", nil, 400, "BadRequestException"},
		{"no route at all", http.MethodGet, "/", "", nil, 400, "BadRequestException"},
		{"wrong method", http.MethodPatch, "/v1/config", "", nil, 405, "MethodNotAllowedException"},
		{"no JSON", http.MethodPost, "/v1/namespaces", "{", nil, 400, "BadRequestException"},
		{"bad key", http.MethodPost, "/v1/namespaces", `{"namespace":["a"]}`, []string{"Idempotency-Key", "x"}, 400, "BadRequestException"},
		{
			"two keys", http.MethodPost, "/v1/namespaces", `{"namespace":["a"]}`,
			[]string{"Idempotency-Key", newKey(t), "Idempotency-Key", newKey(t)},
			400, "BadRequestException",
		},
		{"too large", http.MethodPost, "/v1/namespaces", large, nil, 413, "PayloadTooLargeException"},
		{"too large with a key", http.MethodPost, "/v1/namespaces", large, []string{"Idempotency-Key", newKey(t)}, 413, "PayloadTooLargeException"},
		{"other media type", http.MethodPost, "/v1/namespaces", "a=b", []string{"Content-Type", "text/plain"}, 415, "UnsupportedMediaTypeException"},
		{"bad escape in query", http.MethodGet, "/v1/namespaces?parent=%zz", "", nil, 400, "BadRequestException"},
		{"unsupported", http.MethodPost, "/v1/namespaces/a/tables/t/sign", `{"region":"r","uri":"u","method":"GET","headers":{}}`, nil, 501, "UnsupportedOperationException"},
		{"unknown warehouse", http.MethodGet, "/v1/config?warehouse=none", "", nil, 404, "NoSuchWarehouseException"},
	} {
		a := p.do(c.method, c.path, c.body, c.headers...)
		e, _ := a.body["error"].(map[string]any)
		message, _ := e["message"].(string)
		if a.status != c.status || a.typ() != c.typ || e["code"] != float64(c.status) || message == "" ||
			a.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s %s", c.name, a.status, a.header.Get("Content-Type"), a.text)
		}
	}
	if a := p.do(http.MethodGet, "/v1/namespaces", ""); a.text != `{"namespaces":[]}` {
		t.Errorf("something was created: %s", a.text)
	}
}

// Case C8: HEAD has no body, and neither has a 204, first or replayed: looked at
// on the wire, where a client would trip over it.
func TestNothingFollowsA204(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled")
	p.create("a", newKey(t))
	key := newKey(t)
	drop := "DELETE /v1/namespaces/a HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + key + "\r\n"
	for i, c := range []struct {
		request  string
		status   string
		replayed bool
	}{
		{"HEAD /v1/namespaces/a HTTP/1.1\r\nHost: x\r\n", "204", false},
		{"HEAD /v1/namespaces/none HTTP/1.1\r\nHost: x\r\n", "404", false},
		{drop, "204", false},
		{drop, "204", true},
		{"HEAD /v1/namespaces/a HTTP/1.1\r\nHost: x\r\n", "404", false},
	} {
		raw := p.raw(t, c.request+"Connection: close\r\n\r\n")
		head, body, _ := strings.Cut(raw, "\r\n\r\n")
		lower := strings.ToLower(head)
		if !strings.HasPrefix(head, "HTTP/1.1 "+c.status) || body != "" || strings.Contains(lower, "content-type") ||
			strings.Contains(lower, "idempotency-replayed: true") != c.replayed {
			t.Errorf("request %d:\n%s", i, raw)
		}
	}
}

// raw sends a request as it is and returns everything that comes back.
func (p *process) raw(t *testing.T, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, request)
	text, err := io.ReadAll(bufio.NewReader(conn))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
