package runtime_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

// case A5, two-phase: a node dies after the mutation. The next attempt waits for
// the lease, then runs again; a success is believed, a refusal is not, is not
// recorded, and clients keep their files.
func TestCrashBeforeFinalize(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status int
		answer int
		kind   string
	}{
		{200, 200, ""},
		{204, 204, ""},
		{400, 500, "CommitStateUnknownException"},
		{401, 500, "CommitStateUnknownException"},
		{403, 500, "CommitStateUnknownException"},
		{404, 500, "CommitStateUnknownException"},
		{409, 500, "CommitStateUnknownException"},
		{422, 500, "CommitStateUnknownException"},
		{429, 500, "CommitStateUnknownException"},
		{501, 500, "CommitStateUnknownException"},
		{500, 500, "X"},
		{502, 502, "X"},
		{503, 503, "X"},
	} {
		synctest.Test(t, func(t *testing.T) {
			shared := newMemory(t)
			key := newKey()
			crash(t, shared, request{path: tableT, key: key})
			handler := fails(runtime.Errorf(test.status, "X", "m"))
			if test.status < 300 {
				handler = answers(test.status, "")
			}
			d := newDeskOn(t, shared, func(c echo.Context) error {
				if !runtime.TakenOver(c.Request().Context()) {
					t.Error("the handler does not learn of the lost attempt")
				}
				return handler(c)
			})
			r := request{path: tableT, key: key}
			d.send(r).fails(503, "IdempotencyKeyInProgressException")
			d.ran(0)
			time.Sleep(30 * time.Second) //nolint:forbidigo // the bubble's time, not ours
			a := d.send(r).replayed(false)
			d.ran(1)
			if d.events.count(runtime.EventTakenOver) != 1 {
				t.Errorf("events %v", d.events.counts)
			}
			if test.kind == "" {
				a.is(test.answer, "")
				d.send(r).is(test.answer, "").replayed(true)
				d.ran(1)
				return
			}
			a.fails(test.answer, test.kind)
			if d.record(key).Final() {
				t.Errorf("%d after a lost attempt is recorded", test.status)
			}
			// The next attempt comes at once, and knows as well.
			d.send(r).fails(test.answer, test.kind)
			d.ran(2)
			d.now(answers(200, "{}"))
			d.send(r).is(200, "{}").replayed(false)
			d.send(r).is(200, "{}").replayed(true)
			d.ran(3)
		})
	}
}

// crash leaves behind what a node leaves that died while it executed r.
func crash(t *testing.T, s store.Store, r request) {
	t.Helper()
	silent := &faultyStore{Store: s, finalize: always(errDown), renew: always(errDown), release: always(errDown)}
	guard, err := runtime.NewGuard(silent, runtime.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	recorder(&desk{echo: newEcho(guard, answers(200, "{}"))}, r.http())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := guard.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("closing a guard that has work left: %v", err)
	}
}

// The backend may know what became of a lost attempt.
func TestReconcile(t *testing.T) {
	t.Parallel()
	applied := func(w http.ResponseWriter) error {
		w.WriteHeader(200)
		_, err := w.Write([]byte(`{"found":true}`))
		return err
	}
	type verdict struct {
		fate     runtime.Fate
		response runtime.Response
		err      error
	}
	unknown := verdict{}
	notApplied := verdict{fate: runtime.FateNotApplied}
	conflict := fails(runtime.Errorf(409, "CommitFailedException", "m"))
	for name, test := range map[string]struct {
		verdicts []verdict
		handler  echo.HandlerFunc
		status   int
		text     string
		runs     int64
		recorded bool
	}{
		"applied":                {[]verdict{{runtime.FateApplied, applied, nil}}, conflict, 200, "found", 0, true},
		"applied, no response":   {[]verdict{{runtime.FateApplied, nil, nil}}, conflict, 500, "CommitStateUnknown", 0, false},
		"not applied, success":   {[]verdict{notApplied}, answers(200, "{}"), 200, "{}", 1, true},
		"not applied, conflict":  {[]verdict{notApplied, notApplied}, conflict, 409, "CommitFailed", 1, true},
		"not applied, 503":       {[]verdict{notApplied}, fails(runtime.Errorf(503, "", "m")), 503, "Service", 1, false},
		"came through meanwhile": {[]verdict{notApplied, {runtime.FateApplied, applied, nil}}, conflict, 200, "found", 1, true},
		"unknown, then applied":  {[]verdict{unknown, {runtime.FateApplied, applied, nil}}, conflict, 200, "found", 1, true},
		"unknown, then not":      {[]verdict{unknown, notApplied}, conflict, 409, "CommitFailed", 1, true},
		"unknown":                {[]verdict{unknown, unknown}, conflict, 500, "CommitStateUnknown", 1, false},
		"unknown, success":       {[]verdict{unknown}, answers(200, "{}"), 200, "{}", 1, true},
		"error":                  {[]verdict{{err: errDown}, {err: errDown}}, conflict, 500, "CommitStateUnknown", 1, false},
		"panic":                  {nil, conflict, 500, "CommitStateUnknown", 1, false},
		"response fails": {
			[]verdict{{runtime.FateApplied, func(http.ResponseWriter) error { return errDown }, nil}},
			conflict, 500, "CommitStateUnknown", 0, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := newKey()
			d := newDesk(t, fails(errors.New("went wrong, perhaps after the commit")), func(cfg *runtime.Config) {
				cfg.Reconcile = func(_ context.Context, r *runtime.Request) (runtime.Fate, runtime.Response, error) {
					body, err := r.Body()
					if name == "panic" {
						panic("oh")
					}
					if r.Operation != updateTable || string(body) != `{"name":"t"}` || err != nil || len(test.verdicts) == 0 {
						t.Errorf("asked about %s %q, %v; %d verdicts left", r.Operation.ID, body, err, len(test.verdicts))
						return 0, nil, nil
					}
					v := test.verdicts[0]
					test.verdicts = test.verdicts[1:]
					return v.fate, v.response, v.err
				}
			})
			d.send(request{path: tableT, key: key}).fails(500, "CommitStateUnknownException")
			d.now(test.handler)
			a := d.send(request{path: tableT, key: key}).replayed(false)
			if a.Code != test.status || !strings.Contains(a.Body.String(), test.text) {
				t.Errorf("got %d %s; want %d %s", a.Code, a.Body, test.status, test.text)
			}
			if len(test.verdicts) != 0 {
				t.Errorf("%d verdicts were not asked for", len(test.verdicts))
			}
			d.ran(1 + test.runs)
			record, err := d.store.Load(context.Background(), key)
			if recorded := err == nil && record.Final(); recorded != test.recorded {
				t.Errorf("recorded: %t; want %t", recorded, test.recorded)
			}
		})
	}
}

// case A6: a slow attempt that lost its lease writes nothing over its successor's
// record. Its success is still the truth; its refusal is not to be believed.
func TestZombie(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status, answer int
		kind           string
	}{
		{200, 200, ""},
		{409, 500, "CommitStateUnknownException"},
		{403, 500, "CommitStateUnknownException"},
		{500, 500, "X"},
		{503, 503, "X"},
	} {
		for _, renewalTells := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				shared := newMemory(t)
				then := fails(runtime.Errorf(test.status, "X", "m"))
				if test.status == 200 {
					then = answers(200, `{"node":1}`)
				}
				handler, began, open := gate(then)
				renew := first(8, errDown, false)
				if renewalTells {
					renew = first(6, errDown, false)
				}
				one := newDeskOn(t, &faultyStore{Store: shared, renew: renew}, handler)
				two := newDeskOn(t, shared, answers(200, `{"node":2}`))
				r := request{path: tables, key: newKey()}
				var wait sync.WaitGroup
				wait.Go(func() {
					a := one.send(r).replayed(false)
					if test.kind == "" {
						a.is(test.answer, `{"node":1}`)
					} else {
						a.fails(test.answer, test.kind)
					}
				})
				<-began
				time.Sleep(31 * time.Second) //nolint:forbidigo // the bubble's time, not ours
				two.send(r).is(200, `{"node":2}`).replayed(false)
				time.Sleep(10 * time.Second) //nolint:forbidigo // the bubble's time, not ours
				open()
				wait.Wait()
				for _, d := range []*desk{one, two} {
					d.send(r).is(200, `{"node":2}`).replayed(true)
				}
				one.ran(1)
				two.ran(1)
				if lost := one.events.count(runtime.EventLeaseLost); lost != 1 {
					t.Errorf("%d: events %v; want the lost lease to be seen", test.status, one.events.counts)
				}
			})
		}
	}
}
