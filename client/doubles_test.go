package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

const (
	keyHeader  = generated.KeyHeader
	namespaces = "http://catalog.test/v1/namespaces"
	halfHour   = `{"defaults":{},"overrides":{},"idempotency-key-lifetime":"PT30M"}`
)

// step is what the base makes of one request: an answer, or an error.
type step struct {
	status int
	header http.Header
	body   string
	err    error
	cut    bool // the body ends in an error
}

// status is a step of Iceberg's error form.
func status(code int, typ string, header ...string) step {
	s := step{status: code, header: http.Header{}, body: fmt.Sprintf(`{"error":{"message":"m","type":%q,"code":%d}}`, typ, code)}
	for i := 0; i < len(header); i += 2 {
		s.header.Set(header[i], header[i+1])
	}
	return s
}

// page is what something on the way answers by itself.
func page(code int) step {
	return step{
		status: code, header: http.Header{"Content-Type": {"text/html"}},
		body: fmt.Sprintf("<html><h1>%d %s</h1></html>", code, http.StatusText(code)),
	}
}

var done = step{status: 200, body: `{"namespace":["db"]}`}

// sent is a request as the base got it.
type sent struct {
	method, url, key, body string
	header                 http.Header
}

// base is a network of the test's own. It answers mutations by its steps, the
// last one again and again, and configurations by its own.
type base struct {
	mu        sync.Mutex
	steps     []step
	configs   []step
	mutations []sent
	questions []sent
}

func (b *base) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		text, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err != nil {
			return nil, err
		}
		body = text
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if int64(len(body)) != r.ContentLength {
		return nil, fmt.Errorf("a body of %d bytes has ContentLength %d", len(body), r.ContentLength)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := sent{r.Method, r.URL.String(), strings.Join(r.Header[keyHeader], ","), string(body), r.Header.Clone()}
	// Who changes what it was given must not change the next attempt.
	r.Header.Set("X-Changed", "by base")
	if r.Method == http.MethodGet && (strings.HasSuffix(r.URL.Path, "/config") || r.Response != nil) { // or a redirect of it
		b.questions = append(b.questions, s)
		return next(&b.configs).response(r)
	}
	b.mutations = append(b.mutations, s)
	return next(&b.steps).response(r)
}

func next(steps *[]step) step {
	s := (*steps)[0]
	if len(*steps) > 1 {
		*steps = (*steps)[1:]
	}
	return s
}

func (s step) response(r *http.Request) (*http.Response, error) {
	if s.err != nil {
		return nil, s.err
	}
	header := s.header.Clone()
	if header == nil {
		header = http.Header{}
	}
	body := io.Reader(strings.NewReader(s.body))
	if s.cut {
		body = io.MultiReader(body, broken{io.ErrUnexpectedEOF})
	}
	return &http.Response{
		StatusCode: s.status, Header: header, Body: io.NopCloser(body), ContentLength: int64(len(s.body)),
		ProtoMajor: 1, ProtoMinor: 1, Request: r,
	}, nil
}

type broken struct{ error }

func (b broken) Read([]byte) (int, error) { return 0, b.error }

// clock goes on when it is waited for, and at once.
type clock struct {
	mu  sync.Mutex
	now time.Time
	// waited is told before a pause; it may end the test's contexts.
	waited func(time.Duration)
}

func newClock() *clock { return &clock{now: time.Now()} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) Wait(ctx context.Context, d time.Duration) error {
	if c.waited != nil {
		c.waited(d)
	}
	c.advance(d)
	return ctx.Err()
}

// log keeps what OnAttempt is told.
type log struct {
	mu       sync.Mutex
	attempts []client.Attempt
}

func (l *log) add(a client.Attempt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attempts = append(l.attempts, a)
}

// rig is a Transport over a base.
type rig struct {
	*client.Transport
	base  *base
	clock *clock
	log   *log
}

// newRig returns a Transport whose server advertises half an hour and answers by
// the steps.
func newRig(t *testing.T, steps ...step) *rig {
	return newRigWith(t, func(*client.Options) {}, steps...)
}

func newRigWith(t *testing.T, change func(*client.Options), steps ...step) *rig {
	t.Helper()
	r := &rig{
		base:  &base{steps: steps, configs: []step{{status: 200, body: halfHour}}},
		clock: newClock(),
		log:   &log{},
	}
	o := client.Options{
		Operations: generated.Operations, Base: r.base, Clock: r.clock, OnAttempt: r.log.add,
	}
	change(&o)
	transport, err := client.NewTransport(o)
	if err != nil {
		t.Fatal(err)
	}
	r.Transport = transport
	return r
}

// send posts a namespace and returns status and body.
func (r *rig) send(t *testing.T) (int, string, error) {
	t.Helper()
	return r.do(t, post(t, namespaces))
}

func (r *rig) do(t *testing.T, request *http.Request) (int, string, error) {
	t.Helper()
	response, err := r.RoundTrip(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("the body of the answer: %v", err)
	}
	return response.StatusCode, string(body), nil
}

func post(t *testing.T, url string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"namespace":["db"]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	return request
}

// operations makes a table of keyed operations that are called by what they are.
func operations(endpoints ...string) (table []*runtime.Operation) {
	for _, e := range endpoints {
		method, path, _ := strings.Cut(e, " ")
		table = append(table, &runtime.Operation{ID: e, Method: method, Path: path, Idempotent: true, KeyHeader: keyHeader})
	}
	return table
}
