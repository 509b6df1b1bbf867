package runtime

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

var benchOperation = &Operation{
	ID:         "createTable",
	Method:     http.MethodPost,
	Path:       "/v1/{prefix}/namespaces/{namespace}/tables",
	Idempotent: true,
	KeyHeader:  "Idempotency-Key",
}

var benchBody = []byte(`{"name":"events","schema":{"type":"struct","fields":[{"id":1,"name":"id","required":true,"type":"long"},` +
	`{"id":2,"name":"note","required":false,"type":"string"}]},"properties":{"owner":"team","x":"y"}}`)

// benchHandler does what the least generated handler does: it reads the body,
// from the exchange as they all do, and answers with as many bytes of JSON.
func benchHandler(c echo.Context) error {
	body, err := exchangeOf(c.Request().Context()).readBody(c.Request())
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, body)
}

// discard is a response writer without the cost of a recorder.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

// rewound is a request body that costs nothing to send again.
type rewound struct{ bytes.Reader }

func (*rewound) Close() error { return nil }

// requester sends one request again and again, under any key.
type requester struct {
	echo    *echo.Echo
	request *http.Request
	key     []string
	body    rewound
	writer  discard
}

func newRequester(guard *Guard) *requester {
	e := echo.New()
	e.POST("/v1/namespaces/:namespace/tables", guard.Handler(benchOperation, benchHandler))
	r := httptest.NewRequest(http.MethodPost, "/v1/namespaces/ns/tables", http.NoBody)
	r.Header.Set("Content-Type", "application/json")
	r.ContentLength = int64(len(benchBody))
	key := []string{""}
	r.Header["Idempotency-Key"] = key
	return &requester{echo: e, request: r, key: key, writer: discard{header: http.Header{}}}
}

func (r *requester) send(b *testing.B, key string) {
	r.body.Reset(benchBody)
	r.request.Body = io.ReadCloser(&r.body)
	clear(r.writer.header)
	r.key[0] = key
	r.echo.ServeHTTP(&r.writer, r.request)
	if r.writer.status != http.StatusOK {
		b.Fatalf("status %d", r.writer.status)
	}
}

func benchGuard(b *testing.B, guard *Guard, key func(i int) string) {
	r := newRequester(guard)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.send(b, key(i))
	}
}

// benchKeys makes keys ahead of time, so that making them is not measured.
func benchKeys() func(i int) string {
	keys := make([]string, 1<<16)
	for i := range keys {
		keys[i] = fmt.Sprintf("01982f4e-79b0-7cc3-98c4-%012x", i)
	}
	return func(i int) string { return keys[i%len(keys)] }
}

// vacantStore forgets everything, so that what is left is the guard's own cost.
type vacantStore struct{ store.Store }

func (vacantStore) Reserve(context.Context, store.Claim) (store.Reservation, error) {
	return store.Reservation{Acquired: true}, nil
}

func (vacantStore) Finalize(context.Context, string, store.Token, store.Outcome, time.Duration) error {
	return nil
}

func newBenchGuard(b *testing.B, s store.Store) *Guard {
	guard, err := NewGuard(s, Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = guard.Close(context.Background()) })
	return guard
}

func newBenchStore(b *testing.B, options memory.Options) *memory.Store {
	s, err := memory.New(options)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

const oldKey = "01982f4e-79b0-7cc3-98c4-000000000000"

// BenchmarkGuard is for profiles; BenchmarkGuardRatios compares.
func BenchmarkGuard(b *testing.B) {
	guarded := func(b *testing.B) *Guard { return newBenchGuard(b, newBenchStore(b, memory.Options{})) }
	b.Run("Bare", func(b *testing.B) { benchGuard(b, nil, benchKeys()) })
	b.Run("First", func(b *testing.B) { benchGuard(b, guarded(b), benchKeys()) })
	b.Run("FirstAlone", func(b *testing.B) { benchGuard(b, newBenchGuard(b, vacantStore{}), benchKeys()) })
	b.Run("Replay", func(b *testing.B) {
		benchGuard(b, guarded(b), func(int) string { return oldKey })
	})
}
