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

func benchGuard(b *testing.B, guard *Guard, key func(i int) string) {
	e := echo.New()
	e.POST("/v1/namespaces/:namespace/tables", guard.Handler(benchOperation, benchHandler))
	r := httptest.NewRequest(http.MethodPost, "/v1/namespaces/ns/tables", http.NoBody)
	r.Header.Set("Content-Type", "application/json")
	r.ContentLength = int64(len(benchBody))
	values := []string{""}
	r.Header["Idempotency-Key"] = values
	body := &rewound{}
	w := &discard{header: http.Header{}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		body.Reset(benchBody)
		r.Body = io.ReadCloser(body)
		clear(w.header)
		values[0] = key(i)
		e.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatalf("status %d", w.status)
		}
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

// The cost of the guard is the difference of the others to Bare.
func BenchmarkGuard(b *testing.B) {
	newGuard := func(b *testing.B) *Guard {
		s, err := memory.New(memory.Options{})
		if err != nil {
			b.Fatal(err)
		}
		guard, err := NewGuard(s, Config{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			_ = guard.Close(context.Background())
			_ = s.Close()
		})
		return guard
	}
	b.Run("Bare", func(b *testing.B) { benchGuard(b, nil, benchKeys()) })
	b.Run("First", func(b *testing.B) { benchGuard(b, newGuard(b), benchKeys()) })
	b.Run("FirstAlone", func(b *testing.B) {
		guard, err := NewGuard(vacantStore{}, Config{})
		if err != nil {
			b.Fatal(err)
		}
		benchGuard(b, guard, benchKeys())
	})
	b.Run("Replay", func(b *testing.B) {
		benchGuard(b, newGuard(b), func(int) string { return "01982f4e-79b0-7cc3-98c4-000000000000" })
	})
}
