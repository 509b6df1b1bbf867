package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client"
)

// get fetches a configuration through the rig, as clients do at their start.
func (r *rig) get(t *testing.T, url string, header ...string) (string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := r.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// keyed sends a mutation and reports whether it got a key, and how often the rig
// has asked for the lifetime.
func (r *rig) keyed(t *testing.T, url string) bool {
	t.Helper()
	if _, _, err := r.do(t, post(t, url)); err != nil {
		t.Fatal(err)
	}
	return r.base.mutations[len(r.base.mutations)-1].key != ""
}

// A configuration that passes by tells; nobody is asked.
func TestConfigurationPassesBy(t *testing.T) {
	t.Parallel()
	large := `{"idempotency-key-lifetime":"PT30M","defaults":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`
	for name, test := range map[string]struct {
		config step
		keyed  bool
		asked  bool // it did not tell
	}{
		"lifetime":       {step{status: 200, body: halfHour}, true, false},
		"days":           {step{status: 200, body: `{"idempotency-key-lifetime":"P7D"}`}, true, false},
		"weeks":          {step{status: 200, body: `{"idempotency-key-lifetime":"P1W"}`}, true, false},
		"lower case":     {step{status: 200, body: `{"idempotency-key-lifetime":"pt1m30.5s"}`}, true, false},
		"ages":           {step{status: 200, body: `{"idempotency-key-lifetime":"P99999Y"}`}, true, false},
		"none":           {step{status: 200, body: `{}`}, false, false},
		"null":           {step{status: 200, body: `{"idempotency-key-lifetime":null}`}, false, false},
		"zero":           {step{status: 200, body: `{"idempotency-key-lifetime":"PT0S"}`}, false, false},
		"in overrides":   {step{status: 200, body: `{"overrides":{"idempotency-key-lifetime":"PT30M"}}`}, false, false}, // case A12
		"in defaults":    {step{status: 200, body: `{"defaults":{"idempotency-key-lifetime":"PT30M"}}`}, false, false},
		"refused":        {step{status: 404, body: halfHour}, true, true},
		"cut off":        {step{status: 200, body: halfHour[:20], cut: true}, true, true},
		"cut at its end": {step{status: 200, body: halfHour, cut: true}, true, true},
		"not JSON":       {step{status: 200, body: "<html>"}, true, true},
		"of no use":      {step{status: 200, body: `{"status":"UP"}`}, true, true},
		"null instead":   {step{status: 200, body: `null`}, true, true},
		"list instead":   {step{status: 200, body: `[]`}, true, true},
		"too large":      {step{status: 200, body: large}, true, true},
		"encoded":        {step{status: 200, body: packed(halfHour), header: http.Header{"Content-Encoding": {"gzip"}}}, true, false},
		"encoded, none":  {step{status: 200, body: packed("{}"), header: http.Header{"Content-Encoding": {"gzip"}}}, false, false},
		"elsehow":        {step{status: 200, body: halfHour, header: http.Header{"Content-Encoding": {"br"}}}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, status(503, ""), done)
			rig.base.configs = []step{test.config, {status: 200, body: halfHour}}
			body, err := rig.get(t, "http://catalog.test/v1/config?warehouse=w")
			if body != test.config.body || errors.Is(err, io.ErrUnexpectedEOF) != test.config.cut {
				t.Errorf("%d bytes, %v; want the server's own", len(body), err)
			}
			for range 2 {
				if got := rig.keyed(t, namespaces); got != test.keyed {
					t.Errorf("keyed: %v", got)
				}
			}
			if asked := len(rig.base.questions) - 1; asked > 1 || asked == 1 != test.asked {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

// What a later configuration says counts from then on.
func TestConfigurationChanges(t *testing.T) {
	t.Parallel()
	rig := newRig(t, done)
	rig.base.configs = []step{{status: 200, body: `{}`}, {status: 200, body: halfHour}, {status: 200, body: `{}`}}
	for _, want := range []bool{false, true, false} {
		if _, err := rig.get(t, "http://catalog.test/v1/config"); err != nil {
			t.Fatal(err)
		}
		if got := rig.keyed(t, namespaces); got != want {
			t.Errorf("keyed: %v", got)
		}
	}
}

// A server that has not been heard of is asked once, with the credentials of the
// mutation and nothing of its content.
func TestServerIsAsked(t *testing.T) {
	t.Parallel()
	rig := newRig(t, done)
	request := post(t, "http://catalog.test/a%2Fb/v1/p/namespaces?x=y")
	request.Host = "other.test"
	for name, value := range map[string]string{
		"Authorization": "Bearer secret", "X-Iceberg-Access-Delegation": "vended-credentials",
		"Accept-Encoding": "gzip", "Content-Encoding": "identity", keyHeader: "mine",
	} {
		request.Header.Set(name, value)
	}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if code, _, err := rig.do(t, request.Clone(t.Context())); err != nil || code != 200 {
				t.Errorf("%d %v", code, err)
			}
		})
	}
	wait.Wait()
	if len(rig.base.questions) != 1 || len(rig.base.mutations) != 20 {
		t.Fatalf("asked %d times for %d mutations", len(rig.base.questions), len(rig.base.mutations))
	}
	q := rig.base.questions[0]
	if q.method != "GET" || q.url != "http://catalog.test/a%2Fb/v1/config" || q.body != "" || q.key != "" {
		t.Errorf("%+v", q)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer secret", "X-Iceberg-Access-Delegation": "vended-credentials",
		"Content-Type": "", "Content-Encoding": "", "Accept-Encoding": "",
	} {
		if got := q.header.Get(name); got != want {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
}

// Servers are told apart by scheme, host and path.
func TestServersApart(t *testing.T) {
	t.Parallel()
	rig := newRig(t, done)
	rig.base.configs = []step{{status: 200, body: halfHour}, {status: 200, body: `{}`}}
	for i, url := range []string{
		"http://a.test", "https://a.test", "http://a.test:81", "http://b.test", "http://a.test/x",
	} {
		for range 2 {
			if got := rig.keyed(t, url+"/v1/namespaces"); got != (i == 0) {
				t.Errorf("%s: keyed: %v", url, got)
			}
		}
	}
	if n := len(rig.base.questions); n != 5 {
		t.Errorf("asked %d times", n)
	}
}

// The question is a request like others: it is sent again, and a mutation that
// nobody answers it for is not sent.
func TestQuestionGetsLost(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	rig := newRig(t, done)
	rig.base.configs = []step{
		{err: lost}, status(503, "", "Retry-After", "1"), {status: 200, body: halfHour, cut: true}, {status: 200, body: halfHour},
	}
	if !rig.keyed(t, namespaces) || len(rig.base.questions) != 4 || len(rig.log.attempts) != 1 {
		t.Errorf("asked %d times, reported %d", len(rig.base.questions), len(rig.log.attempts))
	}

	for name, test := range map[string]struct {
		config step
		asked  int
		want   string
	}{
		"no answer": {step{err: lost}, 10, "lost"},
		"not JSON":  {step{status: 200, body: "<html>"}, 10, "the answer was 200, not in Iceberg's form"},
		"another":   {step{status: 200, body: `{"status":"UP"}`}, 10, "the answer was 200, not in Iceberg's form"},
		"too large": {step{status: 200, body: `{"defaults":{},"x":"` + strings.Repeat("x", 1<<20) + `"}`}, 10, "the answer was 200, not in Iceberg's form"},
	} {
		rig := newRig(t, done)
		rig.base.configs = []step{test.config}
		body := &tracked{Reader: strings.NewReader("{}")}
		request := post(t, namespaces)
		request.Body = body
		_, _, err := rig.do(t, request)
		var e *client.Error
		if !errors.As(err, &e) || e.Operation != "createNamespace" || e.Attempts != 0 || e.StateUnknown ||
			!strings.Contains(err.Error(), "createNamespace was not sent: asking for the lifetime") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if len(rig.base.mutations) != 0 || len(rig.base.questions) != test.asked || !body.closed {
			t.Errorf("%s: %d mutations, asked %d times", name, len(rig.base.mutations), len(rig.base.questions))
		}
	}
}

type tracked struct {
	io.Reader
	closed bool
}

func (b *tracked) Close() error { b.closed = true; return nil }

// What is advertised and is no lifetime stops mutations, as it stops Java clients:
// to leave keys out would break the promise in silence.
func TestBadLifetime(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`"soon"`:  `idempotency-key-lifetime "soon"`,
		`""`:      `idempotency-key-lifetime ""`,
		`"30"`:    `idempotency-key-lifetime "30"`,
		`"PT30"`:  `idempotency-key-lifetime "PT30"`,
		`"-PT5M"`: `idempotency-key-lifetime "-PT5M": it must not be negative`,
		`"PTM"`:   `idempotency-key-lifetime "PTM"`,
		`1800`:    `idempotency-key-lifetime`,
	} {
		rig := newRig(t, done)
		rig.base.configs = []step{{status: 200, body: `{"idempotency-key-lifetime":` + value + `}`}}
		for range 2 {
			_, _, err := rig.send(t)
			var e *client.Error
			if !errors.As(err, &e) || e.Attempts != 0 || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", value, err)
			}
		}
		if len(rig.base.mutations) != 0 || len(rig.base.questions) != 1 {
			t.Errorf("%s: %d mutations, asked %d times", value, len(rig.base.mutations), len(rig.base.questions))
		}
	}
}

// gate holds the question until it is opened or its request ends.
type gate struct {
	http.RoundTripper
	entered chan struct{}
	open    chan struct{}
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		g.entered <- struct{}{}
		select {
		case <-g.open:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return g.RoundTripper.RoundTrip(r)
}

// Who waits for another's question leaves when its own time is over, and asks in
// turn when the other leaves.
func TestWaitingForTheQuestion(t *testing.T) {
	t.Parallel()
	g := &gate{entered: make(chan struct{}, 10), open: make(chan struct{})}
	rig := newRigWith(t, func(o *client.Options) { g.RoundTripper, o.Base = o.Base, g }, done)
	send := func(ctx context.Context) chan error {
		result := make(chan error, 1)
		request := post(t, namespaces).WithContext(ctx)
		go func() {
			_, _, err := rig.do(t, request)
			result <- err
		}()
		return result
	}
	firstCtx, leaveFirst := context.WithCancel(t.Context())
	first := send(firstCtx)
	<-g.entered
	secondCtx, leaveSecond := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer leaveSecond()
	if err := <-send(secondCtx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the second: %v", err)
	}
	waits := make(chan struct{})
	third := send(waiting{t.Context(), sync.OnceFunc(func() { close(waits) })})
	<-waits
	leaveFirst()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	select {
	case <-g.entered:
	case err := <-third:
		t.Fatalf("the third did not ask: %v", err)
	}
	close(g.open)
	if err := <-third; err != nil {
		t.Errorf("the third: %v", err)
	}
	if n := len(rig.base.mutations); n != 1 {
		t.Errorf("%d mutations", n)
	}
}

// waiting is a context that tells when somebody waits for its end.
type waiting struct {
	context.Context
	begun func()
}

func (w waiting) Done() <-chan struct{} {
	w.begun()
	return w.Context.Done()
}

// An answer that does not come is one for all who wait, not one for each in turn.
func TestSharedFailureOfTheQuestion(t *testing.T) {
	t.Parallel()
	g := &gate{entered: make(chan struct{}, 100), open: make(chan struct{})}
	rig := newRigWith(t, func(o *client.Options) { g.RoundTripper, o.Base = o.Base, g }, done)
	rig.base.configs = []step{{err: io.EOF}}
	var all, waits sync.WaitGroup
	send := func(ctx context.Context) {
		request := post(t, namespaces).WithContext(ctx)
		all.Go(func() {
			if _, _, err := rig.do(t, request); !errors.Is(err, client.ErrAttempts) || !errors.Is(err, io.EOF) {
				t.Errorf("%v", err)
			}
		})
	}
	send(t.Context())
	<-g.entered
	for range 8 {
		waits.Add(1)
		send(waiting{t.Context(), sync.OnceFunc(waits.Done)})
	}
	waits.Wait()
	close(g.open)
	all.Wait()
	if n := len(rig.base.questions); n != 10 {
		t.Errorf("asked %d times; want the attempts of one", n)
	}
}
