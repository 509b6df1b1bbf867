package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

const keyHeader = "Idempotency-Key"

// The operations of the tests, one of each kind that the guard tells apart.
var (
	createTable = &runtime.Operation{
		ID: "createTable", Method: http.MethodPost, Path: "/v1/{prefix}/namespaces/{namespace}/tables",
		Idempotent: true, KeyHeader: keyHeader,
		Secrets: []runtime.Secret{{Pointer: "/storage-credentials"}, {Pointer: "/config", Entries: true}},
	}
	updateTable = &runtime.Operation{
		ID: "updateTable", Method: http.MethodPost, Path: "/v1/{prefix}/namespaces/{namespace}/tables/{table}",
		Idempotent: true, KeyHeader: keyHeader, StateUnknown: true,
	}
	dropTable = &runtime.Operation{
		ID: "dropTable", Method: http.MethodDelete, Path: "/v1/{prefix}/namespaces/{namespace}/tables/{table}",
		Idempotent: true, KeyHeader: keyHeader,
	}
	loadTable = &runtime.Operation{
		ID: "loadTable", Method: http.MethodGet, Path: "/v1/{prefix}/namespaces/{namespace}/tables/{table}",
	}
	tableExists = &runtime.Operation{
		ID: "tableExists", Method: http.MethodHead, Path: "/v1/{prefix}/namespaces/{namespace}/tables/{table}",
	}
	getToken = &runtime.Operation{
		ID: "getToken", Method: http.MethodPost, Path: "/v1/oauth/tokens", OAuthErrors: true,
	}
)

const (
	tables = "/v1/namespaces/ns/tables"
	tableT = "/v1/namespaces/ns/tables/t"
)

// desk is a server of those operations: a guard, a store, and one handler that a
// test can change at any time.
type desk struct {
	t      *testing.T
	store  store.Store
	guard  *runtime.Guard
	echo   *echo.Echo
	events *events
	log    *logBuffer
	runs   atomic.Int64

	mu      sync.Mutex
	handler echo.HandlerFunc
}

// newDesk starts a desk on a store of its own. The guard and the store are
// closed at the end of the test.
func newDesk(t *testing.T, handler echo.HandlerFunc, configure ...func(*runtime.Config)) *desk {
	t.Helper()
	return newDeskOn(t, newMemory(t), handler, configure...)
}

// newDeskOn starts a desk on a store that others may share.
func newDeskOn(t *testing.T, s store.Store, handler echo.HandlerFunc, configure ...func(*runtime.Config)) *desk {
	t.Helper()
	d := &desk{t: t, store: s, handler: handler, events: &events{}, log: &logBuffer{}}
	cfg := runtime.Config{
		Observer: d.events,
		Logger:   slog.New(slog.NewTextHandler(d.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range configure {
		f(&cfg)
	}
	guard, err := runtime.NewGuard(s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	d.guard = guard
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := guard.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	d.echo = newEcho(guard, d.handle)
	return d
}

func newEcho(guard *runtime.Guard, handler echo.HandlerFunc) *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandler
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if user := c.Request().Header.Get("X-User"); user != "" {
				c.SetRequest(c.Request().WithContext(runtime.WithPrincipal(c.Request().Context(), user)))
			}
			return next(c)
		}
	})
	for _, op := range []*runtime.Operation{createTable, updateTable, dropTable, loadTable, tableExists, getToken} {
		path := strings.NewReplacer("{", ":", "}", "").Replace(op.Path)
		e.Add(op.Method, path, guard.Handler(op, handler))
		if short := strings.Replace(path, "/:prefix", "", 1); short != path {
			e.Add(op.Method, short, guard.Handler(op, handler))
		}
	}
	return e
}

func newMemory(t *testing.T) *memory.Store {
	t.Helper()
	s, err := memory.New(memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// handle counts the execution and runs the test's handler.
func (d *desk) handle(c echo.Context) error {
	d.runs.Add(1)
	d.mu.Lock()
	h := d.handler
	d.mu.Unlock()
	return h(c)
}

// now changes the handler.
func (d *desk) now(handler echo.HandlerFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handler = handler
}

// request describes one request; the zero fields have useful meanings.
type request struct {
	method string // POST
	path   string // createTable's
	key    string // no header
	body   string // {"name":"t"} on POST
	user   string
	header http.Header
	ctx    context.Context
}

func (r request) http() *http.Request {
	if r.method == "" {
		r.method = http.MethodPost
	}
	if r.path == "" {
		r.path = tables
	}
	if r.body == "" && r.method == http.MethodPost {
		r.body = `{"name":"t"}`
	}
	req := httptest.NewRequest(r.method, r.path, strings.NewReader(r.body))
	if r.body == "" {
		req.Body, req.ContentLength = http.NoBody, 0
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set(keyHeader, r.key)
	}
	if r.user != "" {
		req.Header.Set("X-User", r.user)
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	if r.ctx != nil {
		req = req.WithContext(r.ctx)
	}
	return req
}

// send serves a request and returns the answer.
func (d *desk) send(r request) *answer {
	d.t.Helper()
	w := httptest.NewRecorder()
	d.echo.ServeHTTP(w, r.http())
	return &answer{ResponseRecorder: w, t: d.t}
}

// ran checks how often the handler has run in all.
func (d *desk) ran(want int64) {
	d.t.Helper()
	if got := d.runs.Load(); got != want {
		d.t.Errorf("the handler ran %d times; want %d", got, want)
	}
}

// record reads a key's record from the store.
func (d *desk) record(key string) *store.Record {
	d.t.Helper()
	record, err := d.store.Load(context.Background(), key)
	if err != nil {
		d.t.Fatalf("loading the record: %v", err)
	}
	return record
}

type answer struct {
	*httptest.ResponseRecorder
	t *testing.T
}

// is checks status and body.
func (a *answer) is(status int, body string) *answer {
	a.t.Helper()
	if a.Code != status || a.Body.String() != body {
		a.t.Errorf("got %d %q; want %d %q", a.Code, a.Body, status, body)
	}
	return a
}

// replayed checks whether the answer says that it is a replay.
func (a *answer) replayed(want bool) *answer {
	a.t.Helper()
	if got := a.Header().Get("Idempotency-Replayed") == "true"; got != want {
		a.t.Errorf("replayed: %t; want %t", got, want)
	}
	if got := a.Header().Get("Cache-Control") == "no-store"; got != want {
		a.t.Errorf("no-store: %t; want %t", got, want)
	}
	return a
}

// fails checks that the answer is an error in Iceberg's form.
func (a *answer) fails(status int, kind string) *answer {
	a.t.Helper()
	var body struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
			Code    int    `json:"code"`
		} `json:"error"`
	}
	decoder := json.NewDecoder(bytes.NewReader(a.Body.Bytes()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		a.t.Errorf("not in Iceberg's error form: %v: %q", err, a.Body)
	}
	e := body.Error
	if a.Code != status || e.Code != status || e.Type != kind || e.Message == "" {
		a.t.Errorf("got %d %+v; want %d %s", a.Code, e, status, kind)
	}
	if got := a.Header().Get("Content-Type"); got != "application/json" {
		a.t.Errorf("Content-Type %q; want application/json", got)
	}
	return a
}

// events counts what the guard observed.
type events struct {
	mu     sync.Mutex
	counts map[runtime.Event]int
	calls  map[runtime.StoreCall]int
}

func (e *events) Observe(_ context.Context, _ *runtime.Operation, event runtime.Event, _ time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.counts == nil {
		e.counts = map[runtime.Event]int{}
	}
	e.counts[event]++
}

func (e *events) ObserveStore(_ context.Context, call runtime.StoreCall, _ time.Duration, _ error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.calls == nil {
		e.calls = map[runtime.StoreCall]int{}
	}
	e.calls[call]++
}

func (e *events) count(event runtime.Event) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.counts[event]
}

func (e *events) storeCalls() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	sum := 0
	for _, n := range e.calls {
		sum += n
	}
	return sum
}

// logBuffer takes log output from many goroutines.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func newKey() string { return uuid.Must(uuid.NewV7()).String() }

// answers makes a handler that gives one answer.
func answers(status int, body string) echo.HandlerFunc {
	return func(c echo.Context) error {
		if body == "" {
			return c.NoContent(status)
		}
		return c.JSONBlob(status, []byte(body))
	}
}

// fails makes a handler that gives one error.
func fails(err error) echo.HandlerFunc {
	return func(echo.Context) error { return err }
}

// gate makes a handler that says when it began and waits to be let go.
func gate(then echo.HandlerFunc) (handler echo.HandlerFunc, began <-chan struct{}, open func()) {
	entered, opened := make(chan struct{}, 100), make(chan struct{})
	return func(c echo.Context) error {
		entered <- struct{}{}
		<-opened
		return then(c)
	}, entered, sync.OnceFunc(func() { close(opened) })
}

var _ io.Writer = (*logBuffer)(nil)
