package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

func recorder(d *desk, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.echo.ServeHTTP(w, r)
	return w
}

func noise(size int) string {
	text := make([]byte, size)
	for i := range text {
		text[i] = byte(rand.Uint32())
	}
	return string(text)
}

// Bodies of every kind come back as they were, and are stored small.
func TestReplayedBodies(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"empty":           "",
		"one byte":        "x",
		"below 1 KiB":     strings.Repeat("x", 1023),
		"compressible":    strings.Repeat(`{"snapshot-id":1234567890123456789},`, 1000),
		"incompressible":  noise(4 << 10),
		"invalid UTF-8":   "\xff\xfe\x00",
		"just at 100 KiB": strings.Repeat("y", 100<<10),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, func(c echo.Context) error {
				return c.Blob(200, "application/octet-stream", []byte(body))
			}, func(cfg *runtime.Config) { cfg.MaxStoredBody = 100 << 10 })
			key := newKey()
			d.send(request{path: tableT, key: key}).is(200, body).replayed(false)
			d.send(request{path: tableT, key: key}).is(200, body).replayed(true)
			d.ran(1)
			o := d.record(key).Outcome
			small := name == "compressible" || name == "just at 100 KiB"
			if (o.Kind == store.KindZstd) != small || small && len(o.Payload) > len(body)/10 {
				t.Errorf("stored as %s, %d bytes of %d", o.Kind, len(o.Payload), len(body))
			}
		})
	}
}

// A body over the limit reaches its client whole. It is not stored by halves, and
// a retry is told so and not executed.
func TestBodyOverTheLimit(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("z", 1001)
	d := newDesk(t, answers(200, body), func(cfg *runtime.Config) { cfg.MaxStoredBody = 1000 })
	key := newKey()
	d.send(request{path: tableT, key: key}).is(200, body)
	for range 2 {
		a := d.send(request{path: tableT, key: key}).fails(500, "CommitStateUnknownException").replayed(false)
		if !strings.Contains(a.Body.String(), "too large to be stored") {
			t.Errorf("the answer does not say why: %s", a.Body)
		}
	}
	d.ran(1)
	if o := d.record(key).Outcome; o.Kind != store.KindOmitted || len(o.Payload) != 0 {
		t.Errorf("stored %s with %d bytes", o.Kind, len(o.Payload))
	}
	if d.events.count(runtime.EventOmitted) != 1 || d.events.count(runtime.EventUnreplayable) != 2 {
		t.Errorf("events %v", d.events.counts)
	}
}

// A record that cannot be is a loud failure, neither executed nor made up.
func TestImpossibleRecords(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]store.Outcome{
		"status 0":        {Status: 0, Kind: store.KindBody},
		"status 99":       {Status: 99, Kind: store.KindBody},
		"status 100":      {Status: 100, Kind: store.KindBody},
		"status 302":      {Status: 302, Kind: store.KindBody},
		"status 403":      {Status: 403, Kind: store.KindBody},
		"status 500":      {Status: 500, Kind: store.KindBody},
		"status 1000":     {Status: 1000, Kind: store.KindBody},
		"unknown kind":    {Status: 200, Kind: "gzip", Payload: []byte("x")},
		"no zstd":         {Status: 200, Kind: store.KindZstd, Payload: []byte("not compressed")},
		"empty zstd":      {Status: 200, Kind: store.KindZstd, Payload: []byte{0x28, 0xb5, 0x2f, 0xfd}},
		"204 with a body": {Status: 204, Kind: store.KindBody, Payload: []byte("x")},
		"summary, no one": {Status: 200, Kind: store.KindSummary, Payload: []byte("x")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, answers(200, "{}"))
			faulty := &faultyStore{Store: d.store}
			d = newDeskOn(t, faulty, answers(200, "{}"))
			key := newKey()
			d.send(request{key: key}).is(200, "{}")
			d.ran(1)
			faulty.reserved = func(r *store.Reservation) { r.Existing.Outcome = &o }
			a := d.send(request{key: key}).fails(500, "InternalServerException").replayed(false)
			if !strings.Contains(a.Body.String(), "not executed again") {
				t.Errorf("the answer does not say that nothing was done: %s", a.Body)
			}
			d.ran(1)
			text := d.log.String()
			if !strings.Contains(text, "level=ERROR") || !strings.Contains(text, key[:8]) || strings.Contains(text, key) {
				t.Errorf("the log must name the record by the beginning of its key: %s", text)
			}
		})
	}
}

// A record that the store cannot read is one of them.
func TestCorruptRecord(t *testing.T) {
	t.Parallel()
	faulty := &faultyStore{Store: newMemory(t), reserve: always(fmt.Errorf("row 7: %w", store.ErrCorrupt))}
	d := newDeskOn(t, faulty, answers(200, "{}"), func(cfg *runtime.Config) { cfg.OnStoreError = runtime.StoreErrorBypass })
	d.send(request{key: newKey(), path: tableT}).fails(500, "CommitStateUnknownException")
	d.ran(0)
}

type replayer func(ctx context.Context, op *runtime.Operation, summary []byte) (runtime.Response, error)

func (f replayer) Replay(ctx context.Context, op *runtime.Operation, summary []byte) (runtime.Response, error) {
	return f(ctx, op, summary)
}

// A summary is stored in place of the body, and the response is rebuilt from it.
func TestSummary(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("m", 50<<10)
	rebuilt := replayer(func(_ context.Context, op *runtime.Operation, summary []byte) (runtime.Response, error) {
		if op != updateTable || string(summary) != "s3://warehouse/1.json" {
			return nil, fmt.Errorf("asked for %s, %q", op.ID, summary)
		}
		return func(w http.ResponseWriter) error {
			w.Header()["ETag"] = []string{`"fresh"`}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(200)
			_, err := w.Write([]byte(large))
			return err
		}, nil
	})
	d := newDesk(t, func(c echo.Context) error {
		runtime.Summarize(c.Request().Context(), []byte("overwritten"))
		runtime.Summarize(c.Request().Context(), []byte("s3://warehouse/1.json"))
		c.Response().Header()["ETag"] = []string{`"old"`}
		return c.JSONBlob(200, []byte(large))
	}, func(cfg *runtime.Config) { cfg.Replayer, cfg.MaxStoredBody = rebuilt, 100 })
	key := newKey()
	d.send(request{path: tableT, key: key}).is(200, large)
	if o := d.record(key).Outcome; o.Kind != store.KindSummary || string(o.Payload) != "s3://warehouse/1.json" {
		t.Errorf("stored %s %q", o.Kind, o.Payload)
	}
	a := d.send(request{path: tableT, key: key}).is(200, large).replayed(true)
	if got := a.Header()["ETag"]; len(got) != 1 || got[0] != `"fresh"` {
		t.Errorf("ETag %q; want that of the rebuilt response", got)
	}
	d.ran(1)
}

// Only a success is summarized.
func TestSummaryOfAnError(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c echo.Context) error {
		runtime.Summarize(c.Request().Context(), []byte("s3://x"))
		return runtime.Errorf(409, "", "conflict")
	})
	key := newKey()
	first := d.send(request{key: key}).fails(409, "ConflictException")
	d.send(request{key: key}).is(409, first.Body.String()).replayed(true)
}

// Whatever goes wrong with rebuilding, the mutation took place: the client must
// get a failure of the server and never a refusal.
func TestReplayerFails(t *testing.T) {
	t.Parallel()
	writes := func(status int, body string, err error) runtime.Response {
		return func(w http.ResponseWriter) error {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
			return err
		}
	}
	for name, test := range map[string]struct {
		response runtime.Response
		err      error
		status   int
		kind     string
	}{
		"error":          {nil, errors.New("no such file"), 500, "CommitStateUnknownException"},
		"404":            {nil, runtime.Errorf(404, "", "gone"), 500, "CommitStateUnknownException"},
		"503":            {nil, &runtime.Error{Status: 503, Message: "later", RetryAfter: time.Second}, 503, "ServiceUnavailableException"},
		"nil response":   {nil, nil, 500, "CommitStateUnknownException"},
		"half a body":    {writes(200, "half", errors.New("cut")), nil, 500, "CommitStateUnknownException"},
		"another status": {writes(404, "{}", nil), nil, 500, "CommitStateUnknownException"},
		"panic":          {func(http.ResponseWriter) error { panic("oh") }, nil, 500, "CommitStateUnknownException"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, func(c echo.Context) error {
				runtime.Summarize(c.Request().Context(), []byte("s"))
				return c.JSONBlob(200, []byte("{}"))
			}, func(cfg *runtime.Config) {
				cfg.Replayer = replayer(func(context.Context, *runtime.Operation, []byte) (runtime.Response, error) {
					return test.response, test.err
				})
			})
			key := newKey()
			d.send(request{path: tableT, key: key}).is(200, "{}")
			d.send(request{path: tableT, key: key}).fails(test.status, test.kind).replayed(false)
			d.ran(1)
		})
	}
}

// A client that hangs up while its response is rebuilt finds a good record when it
// comes back.
func TestReplayForAClientThatHungUp(t *testing.T) {
	t.Parallel()
	ctx, hangUp := context.WithCancel(t.Context())
	d := newDesk(t, func(c echo.Context) error {
		runtime.Summarize(c.Request().Context(), []byte("s"))
		return c.JSONBlob(200, []byte("{}"))
	}, func(cfg *runtime.Config) {
		cfg.Replayer = replayer(func(ctx context.Context, _ *runtime.Operation, _ []byte) (runtime.Response, error) {
			hangUp()
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("read the file: %w", err)
			}
			return func(w http.ResponseWriter) error {
				w.WriteHeader(200)
				_, err := w.Write([]byte("{}"))
				return err
			}, nil
		})
	})
	key := newKey()
	d.send(request{path: tableT, key: key}).is(200, "{}")
	d.send(request{path: tableT, key: key, ctx: ctx})
	if d.events.count(runtime.EventUnreplayable) != 0 {
		t.Error("the record was taken for a broken one")
	}
	d.send(request{path: tableT, key: key}).is(200, "{}").replayed(true)
	d.ran(1)
}

// case C8: a replayed 204 has neither body nor Content-Type, seen on the wire.
func TestReplayed204OnTheWire(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "application/json")
		return c.NoContent(204)
	})
	server := httptest.NewServer(d.echo)
	defer server.Close()
	key := newKey()
	for _, replayed := range []bool{false, true} {
		head, body := rawExchange(t, server, "DELETE "+tableT+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: "+key+"\r\n\r\n")
		if !strings.HasPrefix(head, "HTTP/1.1 204 ") || body != "" || strings.Contains(strings.ToLower(head), "content-type") ||
			strings.Contains(head, "Content-Length") || strings.Contains(head, "Idempotency-Replayed: true") != replayed {
			t.Errorf("got %q %q", head, body)
		}
	}
	d.ran(1)
}

// ETag keeps that spelling on the wire, replayed or not, however it was set.
func TestETagOnTheWire(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c echo.Context) error {
		c.Response().Header().Set("ETag", `"1"`)
		return c.JSONBlob(200, []byte("{}"))
	})
	server := httptest.NewServer(d.echo)
	defer server.Close()
	key := newKey()
	for range 2 {
		head, _ := rawExchange(t, server, "POST "+tableT+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\nIdempotency-Key: "+key+"\r\n\r\n")
		if !strings.Contains(head, "\r\nETag: \"1\"") || strings.Contains(head, "Etag") {
			t.Errorf("got %q", head)
		}
	}
}

// What a handler wrote into its buffer afterwards changes no record.
func TestRecordIsItsOwnCopy(t *testing.T) {
	t.Parallel()
	buffer := []byte(`{"n":1}`)
	d := newDesk(t, func(c echo.Context) error { return c.JSONBlob(200, buffer) })
	key := newKey()
	d.send(request{key: key}).is(200, `{"n":1}`)
	copy(buffer, bytes.Repeat([]byte("#"), len(buffer)))
	for range 3 {
		d.send(request{key: newKey(), body: `{"other":1}`})
	}
	d.send(request{key: key}).is(200, `{"n":1}`).replayed(true)
}
