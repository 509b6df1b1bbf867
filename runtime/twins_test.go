package runtime_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// together sends n requests at once and returns the answers.
func (d *desk) together(n int, r func(i int) request) []*answer {
	got := make([]*answer, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { got[i] = d.send(r(i)) })
	}
	wait.Wait()
	return got
}

// case A11: of 16 twins one executes, and all get its answer.
func TestTwins(t *testing.T) {
	t.Parallel()
	for _, path := range []string{tables, tableT} {
		var made atomic.Bool
		d := newDesk(t, func(c echo.Context) error {
			if !made.CompareAndSwap(false, true) {
				return runtime.Errorf(409, "AlreadyExistsException", "Table already exists")
			}
			return c.JSONBlob(200, []byte(`{"made":1}`))
		})
		key := newKey()
		executed := 0
		for _, a := range d.together(16, func(int) request { return request{path: path, key: key} }) {
			a.is(200, `{"made":1}`)
			if a.Header().Get("Idempotency-Replayed") == "" {
				executed++
			}
		}
		if executed != 1 {
			t.Errorf("%d answers are first ones; want 1", executed)
		}
		d.ran(1)
	}
}

// Twins of a request that was released try again, one at a time.
func TestTwinsOfAReleasedRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failed := false
		d := newDesk(t, func(c echo.Context) error {
			time.Sleep(100 * time.Millisecond) //nolint:forbidigo // the bubble's time, not ours
			if !failed {
				failed = true
				return runtime.Errorf(503, "", "later")
			}
			return c.JSONBlob(200, []byte("{}"))
		})
		key := newKey()
		statuses := map[int]int{}
		for _, a := range d.together(8, func(int) request { return request{key: key} }) {
			statuses[a.Code]++
		}
		if statuses[503] != 1 || statuses[200] != 7 {
			t.Errorf("statuses %v; want one 503 and the others 200", statuses)
		}
		d.ran(2)
	})
}

// case A1: while the first attempt runs, a retry waits for a bounded time and is
// then told to come back, by 503 where the state of the commit can be unknown.
// Never by 409 there. Afterwards it gets the outcome.
func TestRetryInFlight(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path   string
		choice runtime.InProgressStatus
		status int
	}{
		{tableT, "", 503},
		{tables, "", 409},
		{tableT, runtime.InProgressAuto, 503},
		{tableT, runtime.InProgress409, 409},
		{tables, runtime.InProgress503, 503},
		{tableT, runtime.InProgress503, 503},
	} {
		synctest.Test(t, func(t *testing.T) {
			handler, began, open := gate(answers(200, "{}"))
			d := newDesk(t, handler, func(cfg *runtime.Config) { cfg.InProgressStatus = test.choice })
			r := request{path: test.path, key: newKey()}
			var wait sync.WaitGroup
			wait.Go(func() { d.send(r).is(200, "{}").replayed(false) })
			<-began
			before := time.Now()
			a := d.send(r).fails(test.status, "IdempotencyKeyInProgressException").replayed(false)
			if waited := time.Since(before); waited != 2*time.Second {
				t.Errorf("waited %s; want the default of 2s", waited)
			}
			if got := a.Header().Get("Retry-After"); got != "2" {
				t.Errorf("Retry-After %q; want 2", got)
			}
			open()
			wait.Wait()
			d.send(r).is(200, "{}").replayed(true)
			d.ran(1)
			if d.events.count(runtime.EventInProgress) != 1 || d.events.count(runtime.EventWaited) != 1 {
				t.Errorf("events %v", d.events.counts)
			}
		})
	}
}

// A retry that waits long enough gets the outcome, without asking the store.
func TestRetryWaitsForTheOutcome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, began, open := gate(answers(200, "{}"))
		d := newDesk(t, handler)
		r := request{path: tableT, key: newKey()}
		var wait sync.WaitGroup
		wait.Go(func() { d.send(r).is(200, "{}").replayed(false) })
		<-began
		wait.Go(func() { d.send(r).is(200, "{}").replayed(true) })
		synctest.Wait()
		calls := d.events.storeCalls()
		time.Sleep(time.Second) //nolint:forbidigo // the bubble's time, not ours
		open()
		wait.Wait()
		d.ran(1)
		if extra := d.events.storeCalls() - calls; extra != 1 {
			t.Errorf("%d store calls after the retry came; want the finalize alone", extra)
		}
	})
}

// A key in flight that comes with another request is refused at once.
func TestKeyReuseInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, began, open := gate(answers(200, "{}"))
		d := newDesk(t, handler)
		key := newKey()
		var wait sync.WaitGroup
		wait.Go(func() { d.send(request{key: key}).is(200, "{}") })
		<-began
		before := time.Now()
		d.send(request{key: key, body: `{"name":"other"}`}).fails(422, "IdempotencyKeyReusedException")
		d.send(request{key: key, user: "eve"}).fails(422, "IdempotencyKeyReusedException")
		if waited := time.Since(before); waited != 0 {
			t.Errorf("the refusal took %s", waited)
		}
		open()
		wait.Wait()
		d.ran(1)
	})
}

// An impostor on its way to the store does not turn away the request that the
// key belongs to.
func TestImpostorInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := &slowStore{Store: newMemory(t)}
		d := newDeskOn(t, slow, answers(200, "{}"))
		key := newKey()
		d.send(request{key: key}).is(200, "{}")
		slow.delay.Store(int64(time.Second))
		var wait sync.WaitGroup
		wait.Go(func() { d.send(request{key: key, user: "eve"}).fails(422, "IdempotencyKeyReusedException") })
		synctest.Wait()
		wait.Go(func() { d.send(request{key: key}).is(200, "{}").replayed(true) })
		wait.Wait()
		d.ran(1)

		// The other way round: nobody owns the key yet, so the first to come has it.
		key = newKey()
		wait.Go(func() { d.send(request{key: key}).is(200, "{}").replayed(false) })
		synctest.Wait()
		d.send(request{key: key, user: "eve"}).fails(422, "IdempotencyKeyReusedException")
		wait.Wait()
		d.ran(2)
	})
}

// case A13: a crowd of duplicates is bounded in number and time, and disturbs
// nobody else.
func TestCrowdOfDuplicates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, began, open := gate(answers(200, "{}"))
		d := newDesk(t, handler, func(cfg *runtime.Config) { cfg.MaxWaiters = 150 })
		key := newKey()
		var wait sync.WaitGroup
		wait.Go(func() { d.send(request{path: tableT, key: key}).is(200, "{}") })
		<-began
		calls, start := d.events.storeCalls(), time.Now()
		atOnce, late := 0, 0
		var mu sync.Mutex
		for range 200 {
			wait.Go(func() {
				d.send(request{path: tableT, key: key}).fails(503, "IdempotencyKeyInProgressException")
				mu.Lock()
				defer mu.Unlock()
				switch time.Since(start) {
				case 0:
					atOnce++
				case 2 * time.Second:
					late++
				}
			})
		}
		synctest.Wait()
		if extra := d.events.storeCalls() - calls; extra != 0 {
			t.Errorf("the waiters made %d store calls; want none", extra)
		}
		if d.guard.Waiting() != 150 || d.guard.InFlight() != 151 {
			t.Errorf("%d wait and %d are in flight; want 150 and 151", d.guard.Waiting(), d.guard.InFlight())
		}
		d.now(answers(200, "{}"))
		for range 10 {
			d.send(request{key: newKey()}).is(200, "{}")
		}
		d.send(request{method: http.MethodGet, path: tableT}).is(200, "{}")
		if time.Since(start) != 0 {
			t.Error("other requests had to wait")
		}
		time.Sleep(3 * time.Second) //nolint:forbidigo // the bubble's time, not ours
		open()
		wait.Wait()
		if atOnce != 50 || late != 150 {
			t.Errorf("%d were sent home at once and %d after the wait; want 50 and 150", atOnce, late)
		}
	})
}

// Waiters leave when their client does.
func TestWaiterLeavesWithItsClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, began, open := gate(answers(200, "{}"))
		d := newDesk(t, handler)
		key := newKey()
		var wait sync.WaitGroup
		wait.Go(func() { d.send(request{key: key}).is(200, "{}") })
		<-began
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		before := time.Now()
		d.send(request{key: key, ctx: ctx})
		if waited := time.Since(before); waited != 300*time.Millisecond {
			t.Errorf("waited %s", waited)
		}
		open()
		wait.Wait()
	})
}

// A first attempt on another node is polled: more and more slowly, once for all
// waiters of a process, and no longer than the wait.
func TestWaitingForAnotherNode(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newMemory(t)
		handler, began, open := gate(answers(200, `{"node":1}`))
		one := newDeskOn(t, shared, handler)
		two := newDeskOn(t, shared, answers(200, `{"node":2}`))
		key := newKey()
		var wait sync.WaitGroup
		wait.Go(func() { one.send(request{path: tableT, key: key}).is(200, `{"node":1}`) })
		<-began

		start := time.Now()
		for _, a := range two.together(50, func(int) request { return request{path: tableT, key: key} }) {
			a.fails(503, "IdempotencyKeyInProgressException")
		}
		if waited := time.Since(start); waited != 2*time.Second {
			t.Errorf("waited %s; want 2s", waited)
		}
		if polls := two.events.storeCalls(); polls < 8 || polls > 25 {
			t.Errorf("50 waiters asked the store %d times; want a shared poll, slowing down", polls)
		}

		wait.Go(func() {
			for _, a := range two.together(50, func(int) request { return request{path: tableT, key: key} }) {
				a.is(200, `{"node":1}`).replayed(true)
			}
		})
		time.Sleep(time.Second) //nolint:forbidigo // the bubble's time, not ours
		open()
		wait.Wait()
		one.ran(1)
		two.ran(0)
	})
}

// The poll goes on when the request that asks for all leaves, and no faster.
func TestPollIsHandedOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newMemory(t)
		handler, began, open := gate(answers(200, "{}"))
		one := newDeskOn(t, shared, handler)
		two := newDeskOn(t, shared, answers(500, ""))
		key := newKey()
		var wait sync.WaitGroup
		wait.Go(func() { one.send(request{key: key}) })
		<-began
		for range 25 { // two at any moment: one that asks, and one that is left to go on
			ctx, cancel := context.WithTimeout(context.Background(), 35*time.Millisecond)
			defer cancel()
			wait.Go(func() { two.send(request{key: key, ctx: ctx}) })
			time.Sleep(20 * time.Millisecond) //nolint:forbidigo // the bubble's time, not ours
		}
		wait.Go(func() { two.send(request{key: key}).is(200, "{}").replayed(true) })
		time.Sleep(time.Second) //nolint:forbidigo // the bubble's time, not ours
		open()
		wait.Wait()
		two.ran(0)
		if polls := two.events.storeCalls(); polls > 16 {
			t.Errorf("the store was asked %d times in 1.5s; want one poll, slowing down", polls)
		}
	})
}

// Retries that come together share one look at the record.
func TestReplaysShareOneLookup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := &slowStore{Store: newMemory(t)}
		d := newDeskOn(t, slow, answers(200, "{}"))
		r := request{key: newKey()}
		d.send(r).is(200, "{}")
		slow.delay.Store(int64(time.Second))
		calls := d.events.storeCalls()
		for _, a := range d.together(16, func(int) request { return r }) {
			a.is(200, "{}").replayed(true)
		}
		if n := d.events.storeCalls() - calls; n != 1 {
			t.Errorf("%d store calls for 16 retries; want 1", n)
		}
		d.ran(1)
	})
}

// case D8: whatever the clocks say, Retry-After is a sensible number of seconds.
func TestRetryAfterUnderSkew(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		skew     time.Duration
		lifetime time.Duration
		want     int
	}{
		{0, 30 * time.Minute, 2},
		{90 * time.Second, 30 * time.Minute, 2},
		{-90 * time.Second, 30 * time.Minute, 2},
		{29*time.Minute + 58*time.Second, 30 * time.Minute, 1},
		{24 * time.Hour, 30 * time.Minute, 1},
		{-24 * time.Hour, 30 * time.Minute, 2},
		{0, 2 * time.Second, 1},
		{0, time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			handler, began, open := gate(answers(200, "{}"))
			d := newDesk(t, handler, func(cfg *runtime.Config) {
				cfg.Lifetime = test.lifetime
				cfg.Now = func() time.Time { return time.Now().Add(test.skew) }
			})
			key := keyMadeAt(time.Now())
			var wait sync.WaitGroup
			wait.Go(func() { d.send(request{key: key}) })
			<-began
			got := d.send(request{key: key}).Header().Get("Retry-After")
			if got != strconv.Itoa(test.want) {
				t.Errorf("skew %s, lifetime %s: Retry-After %q; want %d", test.skew, test.lifetime, got, test.want)
			}
			open()
			wait.Wait()
		})
	}
}

// A store clock that runs far ahead or behind changes nothing either.
func TestStoreClockSkew(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-90 * time.Second, 90 * time.Second, 1000 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			shared := newSkewedMemory(t, skew)
			handler, began, open := gate(answers(200, "{}"))
			one := newDeskOn(t, shared, handler)
			two := newDeskOn(t, shared, answers(500, ""))
			key := newKey()
			var wait sync.WaitGroup
			wait.Go(func() { one.send(request{key: key}).is(200, "{}") })
			<-began
			a := two.send(request{key: key}).fails(409, "IdempotencyKeyInProgressException")
			if got := a.Header().Get("Retry-After"); got != "2" {
				t.Errorf("Retry-After %q", got)
			}
			time.Sleep(50 * time.Second) //nolint:forbidigo // the bubble's time; renewals keep the lease of 30s
			two.send(request{key: key}).fails(409, "IdempotencyKeyInProgressException")
			two.ran(0)
			open()
			wait.Wait()
		})
	}
}
