package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// With idempotency off the header is ignored, whatever it holds.
func TestNilGuardIgnoresKeys(t *testing.T) {
	t.Parallel()
	runs := 0
	e := newEcho(nil, func(c echo.Context) error {
		runs++
		if key := runtime.Key(c.Request().Context()); key != "" {
			t.Errorf("a handler without a guard sees the key %q", key)
		}
		return c.NoContent(http.StatusNoContent)
	})
	key := newKey()
	for _, key := range []string{key, key, "x", ""} {
		r := request{}.http()
		r.Header[keyHeader] = []string{key}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != http.StatusNoContent || len(w.Header()) != 0 {
			t.Errorf("key %q: got %d %v", key, w.Code, w.Header())
		}
	}
	if runs != 4 {
		t.Errorf("the handler ran %d times; want 4", runs)
	}
	e = newEcho(nil, func(echo.Context) error { panic("oh") })
	w := &answer{ResponseRecorder: httptest.NewRecorder(), t: t}
	e.ServeHTTP(w, request{key: key}.http())
	w.fails(500, "InternalServerException")
	var guard *runtime.Guard
	if guard.Lifetime() != 0 || guard.InFlight() != 0 || guard.Waiting() != 0 || guard.Close(context.Background()) != nil {
		t.Error("a nil guard has no lifetime, nothing in flight, and closes at once")
	}
}

// A guard without a store ignores keys too, but still authorizes.
func TestGuardWithoutStore(t *testing.T) {
	t.Parallel()
	guard, err := runtime.NewGuard(nil, runtime.Config{
		Authorize: func(_ context.Context, r *runtime.Request) error {
			if r.Principal != "alice" {
				return errors.New("who?")
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if guard.Lifetime() != 0 {
		t.Error("a guard without a store advertises a lifetime")
	}
	e := newEcho(guard, answers(http.StatusOK, "{}"))
	for user, status := range map[string]int{"alice": 200, "bob": 403} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, request{user: user, key: "x"}.http())
		if w.Code != status {
			t.Errorf("%s: got %d; want %d", user, w.Code, status)
		}
	}
}

func TestFirstAttemptAndReplay(t *testing.T) {
	t.Parallel()
	key := newKey()
	d := newDesk(t, func(c echo.Context) error {
		ctx := c.Request().Context()
		if got := runtime.Key(ctx); got != key {
			t.Errorf("the handler sees the key %q; want %q", got, key)
		}
		if runtime.TakenOver(ctx) {
			t.Error("a first attempt is taken over")
		}
		c.Response().Header()["ETag"] = []string{`"1"`}
		c.Response().Header().Set("Location", "/here")
		c.Response().Header().Set("X-Trace", "abc")
		return c.JSONBlob(http.StatusOK, runtime.RawBody(ctx))
	})
	for i, replayed := range []bool{false, true, true} {
		a := d.send(request{key: key}).is(200, `{"name":"t"}`).replayed(replayed)
		h := a.Header()
		if got := h["ETag"]; len(got) != 1 || got[0] != `"1"` {
			t.Errorf("attempt %d: ETag in that spelling is %q", i, got)
		}
		if h.Get("Content-Type") != "application/json" || h.Get("Location") != "/here" {
			t.Errorf("attempt %d: header %v", i, h)
		}
		if traced := h.Get("X-Trace") != ""; traced == replayed {
			t.Errorf("attempt %d: X-Trace present: %t", i, traced)
		}
	}
	d.ran(1)
	if d.events.count(runtime.EventExecuted) != 1 || d.events.count(runtime.EventReplayed) != 2 {
		t.Errorf("events %v", d.events.counts)
	}
}

// case A7
func TestKeyCaseVariantsAreOneKey(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusOK, "{}"))
	d.send(request{key: "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"}).is(200, "{}").replayed(false)
	d.send(request{key: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"}).is(200, "{}").replayed(true)
	d.ran(1)
}

// cases A7 and C7: a malformed key is a 400 and never reaches the store.
func TestMalformedKeys(t *testing.T) {
	t.Parallel()
	good := "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
	for name, values := range map[string][]string{
		"nonsense":    {"x"},
		"empty":       {""},
		"two headers": {good, good},
		"list":        {good + ", " + good},
		"braces":      {"{" + good + "}"},
		"urn":         {"urn:uuid:" + good},
		"undashed":    {strings.ReplaceAll(good, "-", "")},
		"version 4":   {"9f8a8d52-6f0c-4a62-8a44-4ee8b4f2d3a1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, answers(http.StatusOK, "{}"))
			a := d.send(request{header: http.Header{keyHeader: values}}).fails(400, "BadRequestException")
			if !strings.Contains(a.Body.String(), keyHeader) {
				t.Errorf("the message does not name the header: %s", a.Body)
			}
			d.ran(0)
			if d.events.storeCalls() != 0 || d.events.count(runtime.EventInvalidKey) != 1 {
				t.Errorf("store calls %v, events %v", d.events.calls, d.events.counts)
			}
		})
	}
}

func TestAnyUUIDVersion(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusOK, "{}"), func(cfg *runtime.Config) { cfg.AnyUUIDVersion = true })
	for _, replayed := range []bool{false, true} {
		d.send(request{key: "9f8a8d52-6f0c-4a62-8a44-4ee8b4f2d3a1"}).is(200, "{}").replayed(replayed)
	}
	d.send(request{key: "{9f8a8d52-6f0c-4a62-8a44-4ee8b4f2d3a1}"}).fails(400, "BadRequestException")
	d.ran(1)
}

// No key: the handler runs directly, without any access to the store.
func TestNoKey(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusOK, "{}"))
	for range 2 {
		d.send(request{}).is(200, "{}").replayed(false)
	}
	d.ran(2)
	if n := d.events.storeCalls(); n != 0 {
		t.Errorf("%d store calls; want none", n)
	}
}

// case A21: reads ignore the header, good or bad.
func TestReadsIgnoreTheKey(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusOK, "{}"))
	key := newKey()
	for _, key := range []string{key, key, "x"} {
		d.send(request{method: http.MethodGet, path: tableT, key: key}).is(200, "{}").replayed(false)
	}
	d.ran(3)
	d.now(answers(http.StatusNoContent, ""))
	d.send(request{method: http.MethodHead, path: tableT, key: "x"}).is(204, "")
	if n := d.events.storeCalls(); n != 0 {
		t.Errorf("%d store calls; want none", n)
	}
}

// case A3: authorization comes before the record, on replays too, and can decide
// about what the first attempt has dropped.
func TestRevokedRightStopsReplay(t *testing.T) {
	t.Parallel()
	var revoked bool
	d := newDesk(t, answers(http.StatusNoContent, ""), func(cfg *runtime.Config) {
		cfg.Authorize = func(_ context.Context, r *runtime.Request) error {
			table, ok, err := r.PathValue("table")
			if r.Operation.ID != "dropTable" || r.Principal != "alice" || table != "t" || !ok || err != nil {
				t.Errorf("the hook sees %s by %q on %q, %t, %v", r.Operation.ID, r.Principal, table, ok, err)
			}
			if revoked {
				return errors.New("grant 17 was revoked")
			}
			return nil
		}
	})
	drop := request{method: http.MethodDelete, path: tableT, key: newKey(), user: "alice"}
	d.send(drop).is(204, "").replayed(false)
	d.send(drop).is(204, "").replayed(true)
	before := d.record(drop.key)
	revoked = true
	a := d.send(drop).fails(403, "ForbiddenException").replayed(false)
	if strings.Contains(a.Body.String(), "17") {
		t.Errorf("the client learns the reason: %s", a.Body)
	}
	if diff := cmp.Diff(before, d.record(drop.key)); diff != "" {
		t.Errorf("the refusal changed the record: %s", diff)
	}
	revoked = false
	d.send(drop).is(204, "").replayed(true)
	d.ran(1)
}

// The hook runs for every operation, sees the body, and can choose the answer.
func TestAuthorizeHook(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c echo.Context) error {
		return c.JSONBlob(http.StatusOK, runtime.RawBody(c.Request().Context()))
	}, func(cfg *runtime.Config) {
		cfg.Authorize = func(_ context.Context, r *runtime.Request) error {
			body, err := r.Body()
			if err != nil {
				return err
			}
			switch {
			case r.Query("deny") != "":
				return runtime.Errorf(http.StatusUnauthorized, "", "Log in first")
			case strings.Contains(string(body), "forbidden"):
				return errors.New("no")
			}
			return nil
		}
	})
	d.send(request{path: tables + "?deny=1"}).fails(401, "NotAuthorizedException")
	d.send(request{method: http.MethodGet, path: tableT + "?deny=1"}).fails(401, "NotAuthorizedException")
	d.send(request{body: `{"name":"forbidden"}`, key: "not even a key"}).fails(403, "ForbiddenException")
	d.ran(0)
	d.send(request{key: newKey()}).is(200, `{"name":"t"}`)
	d.send(request{}).is(200, `{"name":"t"}`)
}

// The response stays usable for middlewares outside of the guard.
func TestOuterMiddlewareSeesTheResponse(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusOK, `{"a":1}`))
	type seen struct {
		status    int
		size      int64
		committed bool
		before    int
		err       bool
	}
	var last seen
	d.echo.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			last = seen{}
			c.Response().Header().Set("X-Request-Id", "42")
			c.Response().Before(func() { last.before++ })
			err := next(c)
			w := c.Response()
			last.status, last.size, last.committed, last.err = w.Status, w.Size, w.Committed, err != nil
			return err
		}
	})
	key := newKey()
	for _, step := range []struct {
		request request
		handler echo.HandlerFunc
		want    seen
	}{
		{request{key: key}, nil, seen{200, 7, true, 1, false}},
		{request{key: key}, nil, seen{200, 7, true, 1, false}},
		{request{key: newKey()}, fails(runtime.Errorf(409, "X", "m")), seen{409, 47, true, 1, true}},
		{request{}, fails(runtime.Errorf(409, "X", "m")), seen{409, 47, true, 1, true}},
	} {
		if step.handler != nil {
			d.now(step.handler)
		}
		a := d.send(step.request)
		if last != step.want {
			t.Errorf("the middleware saw %+v; want %+v", last, step.want)
		}
		if a.Header().Get("X-Request-Id") != "42" {
			t.Errorf("the middleware's header is lost: %v", a.Header())
		}
	}
}

// A handler reads the body from wherever it likes.
func TestHandlerReadsRequestBody(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c echo.Context) error {
		var v struct{ Name string }
		if err := c.Bind(&v); err != nil {
			return err
		}
		return c.String(http.StatusOK, v.Name)
	})
	d.send(request{key: newKey()}).is(200, "t")
}

func TestBodyTooLarge(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusOK, "{}"), func(cfg *runtime.Config) { cfg.MaxRequestBody = 10 })
	d.send(request{key: newKey(), body: `{"name":"long"}`}).fails(413, "PayloadTooLargeException")
	d.ran(0)
	if n := d.events.storeCalls(); n != 0 {
		t.Errorf("%d store calls; want none", n)
	}
}

// A keyed handler cannot take the connection, and is told so.
func TestHeldBackResponse(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c echo.Context) error {
		w := c.Response()
		w.Flush() // has no error to give and must not panic
		if err := http.NewResponseController(w.Writer).Flush(); err == nil || errors.Is(err, http.ErrNotSupported) {
			t.Errorf("flush: %v", err)
		}
		if _, _, err := w.Hijack(); err == nil {
			t.Error("a keyed handler hijacked the connection")
		}
		return c.String(http.StatusOK, "held")
	})
	d.send(request{key: newKey()}).is(200, "held")
	d.now(func(c echo.Context) error {
		c.Response().WriteHeader(http.StatusEarlyHints)
		c.Response().Committed = false
		c.Response().WriteHeader(http.StatusNoContent)
		if _, err := c.Response().Write([]byte("x")); !errors.Is(err, http.ErrBodyNotAllowed) {
			t.Errorf("writing a body to a 204: %v", err)
		}
		return nil
	})
	d.send(request{key: newKey()}).is(204, "")
}
