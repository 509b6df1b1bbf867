package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

// A store out of reach before the handler ran: the request is refused, and comes
// again. Or, by configuration, executed without a promise.
func TestStoreOutOfReachAtReserve(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		err    error
		policy runtime.OnStoreError
		runs   int64
	}{
		{"fail", errDown, "", 0},
		{"bypass", errDown, runtime.StoreErrorBypass, 1},
		{"full, fail", store.ErrFull, runtime.StoreErrorFail, 0},
		{"full, bypass", store.ErrFull, runtime.StoreErrorBypass, 0},
		{"closed", store.ErrClosed, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			faulty := &faultyStore{Store: newMemory(t), reserve: first(1, fmt.Errorf("reserve: %w", test.err), false)}
			d := newDeskOn(t, faulty, func(c echo.Context) error {
				var v struct{ Name string }
				if err := c.Bind(&v); err != nil || v.Name != "t" {
					t.Errorf("the handler reads %+v, %v", v, err)
				}
				if key := runtime.Key(c.Request().Context()); key != "" {
					t.Errorf("a handler without a record sees the key %q", key)
				}
				return c.JSONBlob(200, []byte("{}"))
			}, func(cfg *runtime.Config) { cfg.OnStoreError = test.policy })
			a := d.send(request{key: newKey()}).replayed(false)
			if test.runs == 1 {
				a.is(200, "{}")
			} else {
				a.fails(503, "ServiceUnavailableException")
				if got := a.Header().Get("Retry-After"); got != "1" {
					t.Errorf("Retry-After %q; want 1", got)
				}
				if full := errors.Is(test.err, store.ErrFull); full != strings.Contains(a.Body.String(), "no room") {
					t.Errorf("the store is full: %t, and the client is told %s", full, a.Body)
				}
				if strings.Contains(a.Body.String(), "refused") {
					t.Errorf("the client learns of our store: %s", a.Body)
				}
			}
			d.ran(test.runs)
		})
	}
}

// A client that leaves in the middle of Reserve may leave a reservation behind.
// It is given up, so that the retry does not find the key in progress; and
// forgotten, since nothing ran under it, so that a refusal of the retry counts. An
// attempt that it was taken over from is not forgotten.
func TestClientLeavesDuringReserve(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		made, lost bool // the reservation was made; an attempt was lost before
		refusal    int
	}{
		"reserved":     {true, false, 404},
		"not reserved": {false, false, 404},
		"taken over":   {true, true, 500},
		"not taken":    {false, true, 500},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newMemory(t)
			key := newKey()
			if test.lost {
				d := newDeskOn(t, s, fails(errDown))
				d.send(request{key: key})
			}
			faulty := &faultyStore{
				Store: s, reserve: first(1, context.Canceled, test.made),
				renew: first(1, errDown, false), release: first(1, errDown, false),
			}
			d := newDeskOn(t, faulty, fails(runtime.Errorf(404, "", "m")))
			ctx, hangUp := context.WithCancel(context.Background())
			faulty.reserved = func(*store.Reservation) { hangUp() }
			d.send(request{key: key, ctx: ctx}).fails(503, "ServiceUnavailableException")
			d.ran(0)
			if text := d.log.String(); strings.Contains(text, "ERROR") {
				t.Errorf("%s: a client that leaves is no failure of ours: %s", name, text)
			}
			time.Sleep(time.Second) //nolint:forbidigo // the bubble's time, not ours
			if a := d.send(request{key: key}); a.Code != test.refusal {
				t.Errorf("%s: the retry got %d %s", name, a.Code, a.Body)
			}
			d.ran(1)
		})
	}
}

// The record is durable before the client sees anything of the answer.
func TestRecordComesBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	faulty := &faultyStore{Store: newMemory(t), finalize: func(int64) (error, bool) {
		if w.Flushed || w.Body.Len() > 0 || len(w.Header()) > 0 {
			t.Error("the client sees an answer that is not recorded yet")
		}
		return nil, false
	}}
	d := newDeskOn(t, faulty, answers(200, "{}"))
	d.echo.ServeHTTP(w, request{key: newKey()}.http())
	if w.Code != 200 || w.Body.String() != "{}" || faulty.finalizes.Load() != 1 {
		t.Errorf("got %d %q after %d finalizes", w.Code, w.Body, faulty.finalizes.Load())
	}
}

// case A4: when the record cannot be written after the mutation, the client gets
// its true answer, the record is written in the background, and until it stands
// no duplicate executes.
func TestStoreOutOfReachAtFinalize(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"lost on the way there": false, "lost on the way back": true} {
		synctest.Test(t, func(t *testing.T) {
			faulty := &faultyStore{Store: newMemory(t), finalize: first(7, errDown, after)}
			d := newDeskOn(t, faulty, answers(200, "{}"))
			r := request{path: tableT, key: newKey()}
			d.send(r).is(200, "{}").replayed(false)
			a := d.send(r)
			if !after {
				// The finalize fails for longer than a duplicate waits.
				a.fails(503, "IdempotencyKeyInProgressException")
			}
			time.Sleep(10 * time.Second) //nolint:forbidigo // the bubble's time, not ours
			d.send(r).is(200, "{}").replayed(true)
			d.ran(1)
			if n := faulty.finalizes.Load(); n != 8 {
				t.Errorf("%s: %d finalizes; want 8", name, n)
			}
		})
	}
}

// Another node stays off too, as long as the store answers at all.
func TestBackgroundFinalizeKeepsTheLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newMemory(t)
		faulty := &faultyStore{Store: shared, finalize: first(100, errDown, false)}
		one := newDeskOn(t, faulty, answers(200, "{}"))
		two := newDeskOn(t, shared, answers(500, ""))
		r := request{key: newKey()}
		one.send(r).is(200, "{}")
		for range 10 {
			time.Sleep(10 * time.Second) //nolint:forbidigo // the bubble's time, not ours
			two.send(r).fails(409, "IdempotencyKeyInProgressException")
		}
		time.Sleep(5 * time.Minute) //nolint:forbidigo // the bubble's time, not ours
		two.send(r).is(200, "{}").replayed(true)
		one.ran(1)
		two.ran(0)
	})
}

// A finalize whose answer was lost, after which the lease ran out and another
// node took over, is told apart by the token.
func TestBackgroundFinalizeMeetsAnotherOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newMemory(t)
		faulty := &faultyStore{Store: shared, finalize: first(35, errDown, false), renew: always(errDown)}
		one := newDeskOn(t, faulty, answers(200, `{"node":1}`))
		two := newDeskOn(t, shared, answers(200, `{"node":2}`))
		r := request{key: newKey()}
		one.send(r).is(200, `{"node":1}`)
		time.Sleep(31 * time.Second) //nolint:forbidigo // the bubble's time, not ours
		two.send(r).is(200, `{"node":2}`).replayed(false)
		time.Sleep(time.Minute) //nolint:forbidigo // the bubble's time, not ours
		one.send(r).is(200, `{"node":2}`).replayed(true)
		one.ran(1)
		two.ran(1)
		if text := one.log.String(); !strings.Contains(text, "could not be recorded") {
			t.Errorf("nobody learns of the lost record: %s", text)
		}
	})
}

// What the store says about a finalize in doubt is believed, once it says
// something definite.
func TestBackgroundFinalizeInDoubt(t *testing.T) {
	t.Parallel()
	in := func(errs ...error) fault {
		return func(n int64) (error, bool) {
			if int(n) <= len(errs) {
				return errs[n-1], n == 1 // the first call reaches the store
			}
			return nil, false
		}
	}
	for name, test := range map[string]struct {
		finalize, load fault
		recorded       bool
	}{
		"our own token":   {in(errDown, store.ErrLeaseLost, store.ErrLeaseLost), first(1, errDown, false), true},
		"nobody's record": {in(errDown, store.ErrLeaseLost), first(1, store.ErrNotFound, false), false},
		"corrupt":         {in(errDown, store.ErrCorrupt), nil, false},
		"closed":          {in(errDown, store.ErrClosed), nil, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			faulty := &faultyStore{Store: newMemory(t), finalize: test.finalize, load: test.load}
			d := newDeskOn(t, faulty, answers(200, "{}"))
			r := request{key: newKey()}
			d.send(r).is(200, "{}")
			time.Sleep(5 * time.Second) //nolint:forbidigo // the bubble's time, not ours
			if n := d.guard.InFlight(); n != 0 {
				t.Errorf("%s: %d tasks are left", name, n)
			}
			if unrecorded := strings.Contains(d.log.String(), "could not be recorded"); unrecorded == test.recorded {
				t.Errorf("%s: %s", name, d.log)
			}
			d.send(r).is(200, "{}").replayed(true)
		})
	}
}

// Release and letting go are tried again as well.
func TestStoreOutOfReachAtRelease(t *testing.T) {
	t.Parallel()
	for _, status := range []int{503, 500} {
		synctest.Test(t, func(t *testing.T) {
			faulty := &faultyStore{Store: newMemory(t), release: first(3, errDown, false), renew: first(3, errDown, false)}
			d := newDeskOn(t, faulty, fails(runtime.Errorf(status, "X", "m")))
			r := request{key: newKey()}
			d.send(r).fails(status, "X")
			d.now(answers(200, "{}"))
			time.Sleep(5 * time.Second) //nolint:forbidigo // the bubble's time, not ours
			d.send(r).is(200, "{}").replayed(false)
			d.ran(2)
		})
	}
}

// The lease is renewed for as long as the handler runs.
func TestLeaseIsRenewed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newMemory(t)
		handler, began, open := gate(answers(200, "{}"))
		faulty := &faultyStore{Store: shared, renew: func(n int64) (error, bool) {
			if n%2 == 1 { // every second renewal fails
				return errDown, false
			}
			return nil, false
		}}
		long := func(cfg *runtime.Config) { cfg.ExecutionTimeout = time.Hour }
		one := newDeskOn(t, faulty, handler, long)
		two := newDeskOn(t, shared, answers(500, ""), long)
		r := request{key: newKey()}
		var wait sync.WaitGroup
		wait.Go(func() { one.send(r).is(200, "{}") })
		<-began
		for range 20 {
			time.Sleep(13 * time.Second) //nolint:forbidigo // the bubble's time, not ours
			two.send(r).fails(409, "IdempotencyKeyInProgressException")
		}
		open()
		wait.Wait()
		two.send(r).is(200, "{}").replayed(true)
		two.ran(0)
		renewals := faulty.renews.Load()
		time.Sleep(time.Minute) //nolint:forbidigo // the bubble's time, not ours
		if more := faulty.renews.Load() - renewals; more != 0 || renewals < 30 {
			t.Errorf("%d renewals in 300s with a lease of 30s, %d after the end", renewals, more)
		}
	})
}

// A handler has a deadline of its own, by its context.
func TestExecutionTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, func(c echo.Context) error {
			ctx := c.Request().Context()
			if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != time.Minute {
				t.Errorf("deadline %v, %t", deadline, ok)
			}
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			<-child.Done()
			return fmt.Errorf("waiting for the catalog: %w", context.Cause(ctx))
		})
		key := newKey()
		start := time.Now()
		d.send(request{path: tableT, key: key}).fails(500, "CommitStateUnknownException")
		if took := time.Since(start); took != time.Minute {
			t.Errorf("took %s; want the default of 60s", took)
		}
		if d.record(key).Final() {
			t.Error("an unclear outcome is recorded")
		}
	})
}

// Close waits for what runs and for records still to be written, sends waiters
// home, and takes nothing new.
func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, began, open := gate(answers(200, "{}"))
		faulty := &faultyStore{Store: newMemory(t), finalize: first(3, errDown, false)}
		d := newDeskOn(t, faulty, handler)
		r := request{path: tableT, key: newKey()}
		var wait sync.WaitGroup
		wait.Go(func() { d.send(r).is(200, "{}") })
		<-began
		wait.Go(func() { d.send(r).fails(503, "IdempotencyKeyInProgressException") })
		synctest.Wait()
		closed := make(chan error, 1)
		start := time.Now()
		wait.Go(func() { closed <- d.guard.Close(context.Background()) })
		synctest.Wait()
		if n := d.events.count(runtime.EventInProgress); n != 1 || time.Since(start) != 0 {
			t.Errorf("%d waiters were sent home after %s", n, time.Since(start))
		}
		a := d.send(request{key: newKey()}).fails(503, "ServiceUnavailableException")
		if a.Header().Get("Retry-After") != "1" {
			t.Errorf("header %v", a.Header())
		}
		d.ran(1)
		open()
		if err := <-closed; err != nil {
			t.Errorf("closing: %v", err)
		}
		wait.Wait()
		if !d.record(r.key).Final() {
			t.Error("Close did not wait for the record")
		}
		if err := d.guard.Close(context.Background()); err != nil {
			t.Errorf("closing again: %v", err)
		}
	})
}
