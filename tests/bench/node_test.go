package bench_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

var operation = &runtime.Operation{
	ID: "updateTable", Method: http.MethodPost, Path: "/v1/namespaces/{namespace}/tables/{table}",
	Idempotent: true, KeyHeader: "Idempotency-Key",
}

const (
	path        = "/v1/namespaces/analytics/tables/events"
	requestBody = `{"requirements":[{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":3051729675574597004}],` +
		`"updates":[{"action":"set-properties","updates":{"owner":"team"}}]}`
	location   = "s3://warehouse/analytics/events/metadata/00001-5f3c9b1e-d0a1-4c8e-9b0e-0c4b6f1c8a55.metadata.json"
	answerBody = `{"metadata-location":"` + location + `"}`
)

// node is a server on a database, without a network.
type node struct{ echo *echo.Echo }

// start puts a guard in front of a handler that mutates the database and then
// answers.
func (d *database) start(b *testing.B, cfg runtime.Config, answer echo.HandlerFunc) node {
	b.Helper()
	guard, err := runtime.NewGuard(d.store, cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := guard.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})
	e := echo.New()
	e.POST("/v1/namespaces/:namespace/tables/:table", guard.Handler(operation, func(c echo.Context) error {
		if err := d.mutate(c.Request().Context()); err != nil {
			return err
		}
		return answer(c)
	}))
	return node{e}
}

// answerSmall answers with a location, as a commit does.
func answerSmall(c echo.Context) error { return c.JSONBlob(http.StatusOK, []byte(answerBody)) }

// send sends the request, with a key unless it is empty, and expects a first
// answer or a replay.
func (n node) send(ctx context.Context, key string, replay bool) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader(requestBody))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set(operation.KeyHeader, key)
	}
	w := &sink{header: http.Header{}}
	n.echo.ServeHTTP(w, r)
	if replayed := w.header.Get("Idempotency-Replayed") != ""; w.status != http.StatusOK || replayed != replay {
		return fmt.Errorf("status %d, replayed %t: %s", w.status, replayed, w.start)
	}
	return nil
}

// sink is a response writer that keeps the start of the body, to show errors.
type sink struct {
	header http.Header
	status int
	start  []byte
}

func (s *sink) Header() http.Header    { return s.header }
func (s *sink) WriteHeader(status int) { s.status = status }

func (s *sink) Write(p []byte) (int, error) {
	if len(s.start) == 0 {
		s.start = p[:min(len(p), 200)]
	}
	return len(p), nil
}

var _ io.Writer = (*sink)(nil)

// unkeyed sends requests without a key.
func (n node) unkeyed(ctx context.Context, _ int) error { return n.send(ctx, "", false) }

// keyed sends requests with a new key each.
func (n node) keyed(ctx context.Context, _ int) error {
	return n.send(ctx, uuid.Must(uuid.NewV7()).String(), false)
}

// replays executes keys that are a minute old, and returns what sends them
// again.
func (n node) replays(b *testing.B, count int) func(context.Context, int) error {
	b.Helper()
	keys := make([]string, count)
	ago := time.Now().Add(-time.Minute)
	for i := range keys {
		keys[i] = keyAt(ago, i)[:14] + uuid.Must(uuid.NewV7()).String()[14:]
		if err := n.send(b.Context(), keys[i], false); err != nil {
			b.Fatal(err)
		}
	}
	return func(ctx context.Context, _ int) error { return n.send(ctx, keys[rand.N(len(keys))], true) }
}

// keyAt is a key made i milliseconds before t. The database computes the same,
// see fill.
func keyAt(t time.Time, i int) string {
	millis := fmt.Sprintf("%012x", t.UnixMilli()-int64(i))
	return millis[:8] + "-" + millis[8:] + "-7000-8000-000000000000"
}
