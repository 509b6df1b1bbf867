package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

func TestFinal(t *testing.T) {
	t.Parallel()
	transient := map[int]bool{401: true, 403: true, 408: true, 419: true, 421: true, 425: true, 429: true}
	for status := 100; status < 600; status++ {
		want := (status/100 == 2 || status/100 == 4) && !transient[status]
		if got := runtime.Final(status); got != want {
			t.Errorf("Final(%d) = %t", status, got)
		}
	}
}

// case A8: what depends on the caller or the moment is not recorded, what the
// operation itself decided is; and a failure that may have been applied is not
// forgotten.
func TestWhatIsRecorded(t *testing.T) {
	t.Parallel()
	panics := func(echo.Context) error { panic("broken") }
	for _, test := range []struct {
		name    string
		handler echo.HandlerFunc
		status  int
		event   runtime.Event
	}{
		{"200", answers(200, "{}"), 200, runtime.EventExecuted},
		{"204", answers(204, ""), 204, runtime.EventExecuted},
		{"nothing written", func(echo.Context) error { return nil }, 200, runtime.EventExecuted},
		{"400", fails(runtime.Errorf(400, "", "m")), 400, runtime.EventExecuted},
		{"404", fails(runtime.Errorf(404, "", "m")), 404, runtime.EventExecuted},
		{"406", fails(runtime.Errorf(406, "", "m")), 406, runtime.EventExecuted},
		{"409", fails(runtime.Errorf(409, "", "m")), 409, runtime.EventExecuted},
		{"409 wrapped", fails(fmt.Errorf("w: %w", runtime.Errorf(409, "", "m"))), 409, runtime.EventExecuted},
		{"409 of Echo", fails(echo.NewHTTPError(409, "m")), 409, runtime.EventExecuted},
		{"409 written", answers(409, `{"error":{"message":"m","type":"ConflictException","code":409}}`), 409, runtime.EventExecuted},
		{"422", fails(runtime.Errorf(422, "", "m")), 422, runtime.EventExecuted},
		{"401", fails(runtime.Errorf(401, "", "m")), 401, runtime.EventReleased},
		{"403", fails(runtime.Errorf(403, "", "m")), 403, runtime.EventReleased},
		{"408", fails(runtime.Errorf(408, "", "m")), 408, runtime.EventReleased},
		{"419", fails(runtime.Errorf(419, "", "m")), 419, runtime.EventReleased},
		{"421", fails(runtime.Errorf(421, "", "m")), 421, runtime.EventReleased},
		{"425", fails(runtime.Errorf(425, "", "m")), 425, runtime.EventReleased},
		{"429", fails(runtime.Errorf(429, "", "m")), 429, runtime.EventReleased},
		{"501", fails(runtime.NotImplemented(createTable)), 501, runtime.EventReleased},
		{"503", fails(runtime.Errorf(503, "", "m")), 503, runtime.EventReleased},
		{"500, not applied", fails(&runtime.Error{Status: 500, Message: "m", NotApplied: true}), 500, runtime.EventReleased},
		{"500", fails(runtime.Errorf(500, "", "m")), 500, runtime.EventUnclear},
		{"502", fails(runtime.Errorf(502, "", "m")), 502, runtime.EventUnclear},
		{"504", fails(runtime.Errorf(504, "", "m")), 504, runtime.EventUnclear},
		{"any error", fails(errors.New("m")), 500, runtime.EventUnclear},
		{"panic", panics, 500, runtime.EventUnclear},
		{"redirect", answers(302, ""), 302, runtime.EventUnclear},
		{"impossible status", fails(runtime.Errorf(200, "", "m")), 500, runtime.EventUnclear},
		{"error after an answer", func(c echo.Context) error {
			_ = c.String(200, "half")
			return errors.New("encoding failed")
		}, 500, runtime.EventUnclear},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, test.handler)
			key := newKey()
			if a := d.send(request{key: key}).replayed(false); a.Code != test.status {
				t.Fatalf("got %d %s; want %d", a.Code, a.Body, test.status)
			}
			if d.events.count(test.event) != 1 {
				t.Errorf("events %v; want %s", d.events.counts, test.event)
			}
			d.ran(1)
			record, err := d.store.Load(context.Background(), key)
			switch test.event {
			case runtime.EventExecuted:
				if err != nil || !record.Final() || record.Outcome.Status != test.status {
					t.Errorf("record %+v, %v; want a final one", record, err)
				}
			case runtime.EventReleased:
				if !errors.Is(err, store.ErrNotFound) {
					t.Errorf("record %+v, %v; want none", record, err)
				}
			case runtime.EventUnclear:
				if err != nil || record.Final() {
					t.Errorf("record %+v, %v; want a reservation without a lease", record, err)
				}
			}
			d.now(answers(200, `{"second":true}`))
			a := d.send(request{key: key})
			if test.event == runtime.EventExecuted {
				a.replayed(true)
				if a.Code != test.status {
					t.Errorf("replayed %d; want %d", a.Code, test.status)
				}
				d.ran(1)
				return
			}
			a.is(200, `{"second":true}`).replayed(false)
			d.ran(2)
			takenOver := test.event == runtime.EventUnclear
			if (d.events.count(runtime.EventTakenOver) == 1) != takenOver {
				t.Errorf("events %v; taken over: want %t", d.events.counts, takenOver)
			}
		})
	}
}

// A replayed error is the error, byte for byte.
func TestReplayedError(t *testing.T) {
	t.Parallel()
	d := newDesk(t, fails(runtime.Errorf(409, "AlreadyExistsException", "Table already exists: ns.<t> & more")))
	key := newKey()
	first := d.send(request{key: key}).fails(409, "AlreadyExistsException").replayed(false)
	if !strings.Contains(first.Body.String(), "ns.<t> & more") {
		t.Errorf("the message is escaped: %s", first.Body)
	}
	d.send(request{key: key}).fails(409, "AlreadyExistsException").replayed(true).is(409, first.Body.String())
	d.ran(1)
}

// case A9, and DESIGN's binding: a key that comes with another request is refused
// at once, nothing executes, and the record stays as it was.
func TestKeyReuse(t *testing.T) {
	t.Parallel()
	first := request{path: tables + "?x=1&y=2", user: "alice", body: `{"name":"a","n":[1,2]}`}
	for _, test := range []struct {
		name   string
		change func(*request)
		same   bool
	}{
		{"the same", func(*request) {}, true},
		{"body re-serialised", func(r *request) { r.body = "{ \"n\": [1.0, 2e0],\n \"\\u006eame\": \"a\" }" }, true},
		{"query in another order", func(r *request) { r.path = tables + "?y=2&x=1" }, true},
		{"query spelled otherwise", func(r *request) { r.path = tables + "?%78=1&y=%32" }, true},
		{"path spelled otherwise", func(r *request) { r.path = "/v1/namespaces/%6es/tables?x=1&y=2" }, true},
		{"a new token of the same caller", func(r *request) { r.header = http.Header{"Authorization": {"Bearer 2"}} }, true},
		{"another operation", func(r *request) { r.method, r.path = http.MethodDelete, tables+"/a?x=1&y=2" }, false},
		{"another body", func(r *request) { r.body = `{"name":"b","n":[1,2]}` }, false},
		{"array in another order", func(r *request) { r.body = `{"name":"a","n":[2,1]}` }, false},
		{"no body", func(r *request) { r.method, r.path, r.body = http.MethodPost, first.path, " " }, false},
		{"another namespace", func(r *request) { r.path = "/v1/namespaces/nt/tables?x=1&y=2" }, false},
		{"with a prefix", func(r *request) { r.path = "/v1/p/namespaces/ns/tables?x=1&y=2" }, false},
		{"another query", func(r *request) { r.path = tables + "?x=1&y=3" }, false},
		{"less query", func(r *request) { r.path = tables + "?x=1" }, false},
		{"values swapped", func(r *request) { r.path = tables + "?x=2&y=1" }, false},
		{"another caller", func(r *request) { r.user = "bob" }, false},
		{"no caller", func(r *request) { r.user = "" }, false},
		{"another media type", func(r *request) { r.header = http.Header{"Content-Type": {"text/plain"}} }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, answers(200, `{"secret":"first"}`))
			one, two := first, first
			one.key = newKey()
			two.key = one.key
			test.change(&two)
			d.send(one).is(200, `{"secret":"first"}`)
			before := d.record(one.key)
			a := d.send(two)
			if test.same {
				a.is(200, `{"secret":"first"}`).replayed(true)
			} else {
				a.fails(422, "IdempotencyKeyReusedException").replayed(false)
				if body := a.Body.String(); strings.Contains(body, "first") || strings.Contains(body, "alice") {
					t.Errorf("the refusal reveals the first request: %s", body)
				}
			}
			d.ran(1)
			if diff := cmp.Diff(before, d.record(one.key)); diff != "" {
				t.Errorf("the record changed: %s", diff)
			}
			d.send(one).is(200, `{"secret":"first"}`).replayed(true)
		})
	}
}

// case C1: namespaces that look alike when joined are not the same.
func TestBindingKeepsLevelsApart(t *testing.T) {
	t.Parallel()
	paths := []string{
		"a.b", "a%1Fb", "a%2Eb%1Fc", "a%1Fb.c", "a%1fb%1fc", "a%2Fb", "a%252Fb", "a+b", "a%2Bb", "%61%62", "ä", "%C3%A4x",
	}
	d := newDesk(t, answers(200, "{}"))
	for _, one := range paths {
		for _, two := range paths {
			key := newKey()
			d.send(request{key: key, path: "/v1/namespaces/" + one + "/tables"}).is(200, "{}")
			a := d.send(request{key: key, path: "/v1/namespaces/" + two + "/tables"})
			if one == two {
				a.is(200, "{}").replayed(true)
			} else {
				a.fails(422, "IdempotencyKeyReusedException")
			}
		}
	}
	d.send(request{key: newKey(), path: "/v1/namespaces/a%20b/tables"})
	key := newKey()
	d.send(request{key: key, path: "/v1/namespaces/a+b/tables"}).is(200, "{}")
	d.send(request{key: key, path: "/v1/namespaces/a%20b/tables"}).is(200, "{}").replayed(true)
}

// Bodies that are no JSON are compared byte by byte.
func TestBindingOfOtherBodies(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(200, "{}"))
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	for _, test := range []struct {
		one, two string
		header   http.Header
		same     bool
	}{
		{"a=1&b=2", "a=1&b=2", form, true},
		{"a=1&b=2", "b=2&a=1", form, false},
		{`{"a":1}`, `{ "a": 1 }`, form, false},
		{`{`, `{`, nil, true},
		{`{`, `{ `, nil, false},
		{"\"\xff\"", "\"\xfe\"", nil, false},
		{`{"a":1}`, `{ "a": 1.0 }`, http.Header{"Content-Type": {"Application/JSON; charset=utf-8"}}, true},
		{`{"a":1}`, `{ "a": 1.0 }`, http.Header{"Content-Type": {"application/vnd.x+json"}}, true},
		{strings.Repeat("[", 600) + strings.Repeat("]", 600), strings.Repeat("[", 600) + strings.Repeat("]", 600), nil, true},
	} {
		key := newKey()
		d.send(request{key: key, body: test.one, header: test.header}).is(200, "{}")
		a := d.send(request{key: key, body: test.two, header: test.header})
		if (a.Code == 200) != test.same || !test.same && a.Code != 422 {
			t.Errorf("%.20q and %.20q: got %d", test.one, test.two, a.Code)
		}
	}
}

func TestBadPathEncoding(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(200, "{}"))
	r := request{key: newKey()}.http()
	r.URL.Path, r.URL.RawPath = "/v1/namespaces/%zz/tables", "/v1/namespaces/%zz/tables"
	w := &answer{t: t, ResponseRecorder: recorder(d, r)}
	w.fails(400, "BadRequestException")
	d.ran(0)
}

// The binding that is stored tells people about the request, and no secret.
func TestStoredBinding(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(200, "{}"))
	key := newKey()
	d.send(request{key: key, user: "alice", path: "/v1/p/namespaces/ü%1Fx/tables?token=hush"}).is(200, "{}")
	record := d.record(key)
	if got, want := record.Binding.Operation, "createTable /v1/p/namespaces/%C3%BC%1Fx/tables"; got != want {
		t.Errorf("operation %q; want %q", got, want)
	}
	if got := record.Binding.Principal.String(); got != "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90" {
		t.Errorf("principal %s; want the SHA-256 of alice", got)
	}
}
