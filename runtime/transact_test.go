package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// txStore is a database in memory: records, and rows that handlers write in the
// same transaction.
type txStore struct {
	*memory.Store
	// begin runs ahead of all. before runs ahead of each commit and may fail the
	// transaction or, by errDeadlock, have it run again; after runs behind it.
	begin, before, after func() error

	mu    sync.Mutex
	rows  map[string]string
	calls int
}

var errDeadlock = errors.New("deadlock")

type txKey struct{}

// write writes a row in the transaction of a handler.
func write(c echo.Context, row, value string) {
	c.Request().Context().Value(txKey{}).(map[string]string)[row] = value
}

func (s *txStore) Transact(ctx context.Context, claim store.Claim, mutation store.Mutation) (*store.Record, error) {
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	if s.begin != nil {
		if err := s.begin(); err != nil {
			return nil, err
		}
	}
	for {
		tx := map[string]string{}
		outcome, decision, err := mutation(context.WithValue(ctx, txKey{}, tx))
		if err != nil || decision == store.Abort {
			return nil, err
		}
		if s.before != nil {
			if err := s.before(); errors.Is(err, errDeadlock) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		existing, err := s.commit(claim, outcome, decision, tx)
		if err == nil && existing == nil && s.after != nil {
			err = s.after()
		}
		return existing, err
	}
}

func (s *txStore) commit(claim store.Claim, outcome store.Outcome, decision store.Decision, tx map[string]string) (*store.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	claim.Lease = time.Minute
	if record, err := s.Load(context.Background(), claim.Key); decision == store.Reject && err == nil {
		return record, nil
	}
	reservation, err := s.Reserve(context.Background(), claim)
	if err != nil || !reservation.Acquired {
		return reservation.Existing, err
	}
	if decision == store.Commit {
		maps.Copy(s.rows, tx)
	}
	return nil, s.Finalize(context.Background(), claim.Key, claim.Token, outcome, claim.Retain)
}

func (s *txStore) row(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows[name]
}

func newTxStore(t *testing.T) *txStore {
	return &txStore{Store: newMemory(t), rows: map[string]string{}}
}

func transactional(cfg *runtime.Config) { cfg.Mode = runtime.ModeTransactional }

// One transaction holds the mutation and its record.
func TestTransactional(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	d := newDeskOn(t, s, func(c echo.Context) error {
		write(c, "t", "1")
		return c.JSONBlob(200, []byte("{}"))
	}, transactional)
	r := request{key: newKey()}
	d.send(r).is(200, "{}").replayed(false)
	if s.row("t") != "1" || !d.record(r.key).Final() {
		t.Error("the mutation or its record is missing")
	}
	if calls := d.events.calls; len(calls) != 1 || calls[runtime.CallTransact] != 1 {
		t.Errorf("store calls %v; want one transaction alone", calls)
	}
	d.send(r).is(200, "{}").replayed(true)
	d.send(request{key: r.key, user: "eve"}).fails(422, "IdempotencyKeyReusedException")
}

func TestTransactionalOutcomes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		handler  echo.HandlerFunc
		status   int
		written  bool
		recorded bool
	}{
		"success":   {answers(200, "{}"), 200, true, true},
		"conflict":  {fails(runtime.Errorf(409, "", "m")), 409, false, true},
		"forbidden": {fails(runtime.Errorf(403, "", "m")), 403, false, false},
		"error":     {fails(errDown), 500, false, false},
		"503":       {fails(runtime.Errorf(503, "", "m")), 503, false, false},
		"panic":     {func(echo.Context) error { panic("oh") }, 500, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTxStore(t)
			d := newDeskOn(t, s, func(c echo.Context) error {
				write(c, "t", "1")
				return test.handler(c)
			}, transactional)
			r := request{key: newKey()}
			if a := d.send(r); a.Code != test.status {
				t.Errorf("got %d %s", a.Code, a.Body)
			}
			if written := s.row("t") != ""; written != test.written {
				t.Errorf("written: %t; want %t", written, test.written)
			}
			d.now(answers(200, `{"second":true}`))
			a := d.send(r).replayed(test.recorded)
			if test.recorded && a.Code != test.status || !test.recorded && a.Code != 200 {
				t.Errorf("second attempt: got %d %s", a.Code, a.Body)
			}
			if n := d.events.count(runtime.EventTakenOver); n != 0 {
				t.Error("a transaction that was rolled back leaves nothing to take over")
			}
		})
	}
}

// case A11: a twin on another node loses at its insert, is rolled back, and
// answers with the winner's outcome, even where it met a conflict itself.
func TestTransactionalTwinOnAnotherNode(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]echo.HandlerFunc{
		"success":  answers(200, `{"node":2}`),
		"conflict": fails(runtime.Errorf(409, "AlreadyExistsException", "m")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTxStore(t)
			handler, began, open := gate(func(c echo.Context) error {
				write(c, "t", "2")
				return late(c)
			})
			one := newDeskOn(t, s, func(c echo.Context) error {
				write(c, "t", "1")
				return c.JSONBlob(200, []byte(`{"node":1}`))
			}, transactional)
			two := newDeskOn(t, s, handler, transactional)
			r := request{path: tableT, key: newKey()}
			var wait sync.WaitGroup
			wait.Go(func() { two.send(r).is(200, `{"node":1}`).replayed(true) })
			<-began
			one.send(r).is(200, `{"node":1}`).replayed(false)
			open()
			wait.Wait()
			if s.row("t") != "1" {
				t.Errorf("the loser's write %q stands", s.row("t"))
			}
		})
	}
}

// The winner may have been another request with the same key.
func TestTransactionalReuseOnAnotherNode(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	handler, began, open := gate(func(c echo.Context) error {
		write(c, "t", "2")
		return c.NoContent(204)
	})
	one := newDeskOn(t, s, answers(200, "{}"), transactional)
	two := newDeskOn(t, s, handler, transactional)
	key := newKey()
	var wait sync.WaitGroup
	wait.Go(func() { two.send(request{key: key, user: "eve"}).fails(422, "IdempotencyKeyReusedException") })
	<-began
	one.send(request{key: key}).is(200, "{}")
	open()
	wait.Wait()
	if s.row("t") != "" {
		t.Error("the refused request's write stands")
	}
}

// Twins of one process share one transaction, and reuse is refused at once.
func TestTransactionalTwins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newTxStore(t)
		handler, began, open := gate(answers(200, "{}"))
		d := newDeskOn(t, s, handler, transactional)
		key := newKey()
		var wait sync.WaitGroup
		wait.Go(func() {
			for _, a := range d.together(16, func(int) request { return request{key: key} }) {
				a.is(200, "{}")
			}
		})
		<-began
		synctest.Wait()
		d.send(request{key: key, user: "eve"}).fails(422, "IdempotencyKeyReusedException")
		open()
		wait.Wait()
		d.ran(1)
		if s.calls != 1 {
			t.Errorf("%d transactions; want 1", s.calls)
		}
	})
}

// After a deadlock the handler runs again from the start: nothing of its first
// answer is left.
func TestTransactionalRunsAgain(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	deadlocks := 2
	s.before = func() error {
		if deadlocks--; deadlocks >= 0 {
			return errDeadlock
		}
		return nil
	}
	d := newDeskOn(t, s, nil, transactional)
	d.now(func(c echo.Context) error {
		run := d.runs.Load()
		var v struct{ Name string }
		if err := c.Bind(&v); err != nil || v.Name != "t" {
			t.Errorf("run %d reads %+v, %v", run, v, err)
		}
		if run == 1 {
			runtime.Summarize(c.Request().Context(), []byte("of the first run"))
			c.Response().Header().Set("Location", "/first")
		}
		write(c, fmt.Sprint("run ", run), "x")
		return c.JSONBlob(200, fmt.Appendf(nil, `{"run":%d}`, run))
	})
	r := request{key: newKey()}
	a := d.send(r).is(200, `{"run":3}`)
	if a.Header().Get("Location") != "" {
		t.Errorf("header %v", a.Header())
	}
	d.send(r).is(200, `{"run":3}`).replayed(true)
	if s.row("run 1")+s.row("run 2") != "" || s.row("run 3") == "" {
		t.Errorf("rows %v", s.rows)
	}
}

// A commit whose answer did not come is the one thing that stays unclear.
func TestTransactionalUnknownOutcome(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	s.after = func() error { return fmt.Errorf("commit: %w: %w", store.ErrUnknownOutcome, errDown) }
	d := newDeskOn(t, s, answers(200, "{}"), transactional)
	for _, path := range []string{tables, tableT} {
		r := request{path: path, key: newKey()}
		d.send(r).fails(500, "CommitStateUnknownException")
		d.send(r).is(200, "{}").replayed(true)
	}
}

// Everything else that goes wrong is rolled back, and the client may come again.
func TestTransactionalFailures(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	s.before = func() error { return errDown }
	d := newDeskOn(t, s, func(c echo.Context) error {
		write(c, "t", "1")
		return c.JSONBlob(200, []byte("{}"))
	}, transactional, func(cfg *runtime.Config) { cfg.OnStoreError = runtime.StoreErrorBypass })
	r := request{path: tableT, key: newKey()}
	a := d.send(r).fails(503, "ServiceUnavailableException")
	if a.Header().Get("Retry-After") == "" || s.row("t") != "" {
		t.Errorf("header %v, row %q", a.Header(), s.row("t"))
	}
	d.ran(1) // bypass is for handlers that did not run
	s.before = func() error { return fmt.Errorf("row 7: %w", store.ErrCorrupt) }
	d.send(r).fails(500, "CommitStateUnknownException")
	s.before = nil
	d.send(r).is(200, "{}").replayed(false)
}

// A transaction that could not begin has run nothing.
func TestTransactionalStoreOutOfReach(t *testing.T) {
	t.Parallel()
	for policy, runs := range map[runtime.OnStoreError]int64{runtime.StoreErrorFail: 0, runtime.StoreErrorBypass: 1} {
		s := newTxStore(t)
		s.begin = func() error { return errDown }
		d := newDeskOn(t, s, answers(200, "{}"), transactional, func(cfg *runtime.Config) { cfg.OnStoreError = policy })
		a := d.send(request{key: newKey()})
		if runs == 0 {
			a.fails(503, "ServiceUnavailableException")
		} else {
			a.is(200, "{}").replayed(false)
		}
		d.ran(runs)
	}
}

// An old key is probably a retry's: its record is looked up before anything
// runs. A young one goes straight in.
func TestTransactionalLooksUpOldKeys(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]int{
		0: 0, time.Second: 0, 2 * time.Second: 1, time.Hour: 1, -time.Hour: 0,
	} {
		d := newDeskOn(t, newTxStore(t), answers(200, "{}"), transactional)
		r := request{key: keyMadeAt(time.Now().Add(-age))}
		d.send(r).is(200, "{}").replayed(false)
		if got := d.events.calls[runtime.CallLoad]; got != want {
			t.Errorf("age %s: %d lookups; want %d", age, got, want)
		}
		d.send(r).is(200, "{}").replayed(true)
		d.ran(1 + int64(1-want)) // the young twin runs, loses, and is rolled back
	}
}

// A reservation of the other form of execution is respected.
func TestTransactionalMeetsAReservation(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	handler, began, open := gate(answers(200, "{}"))
	two := newDeskOn(t, s.Store, handler)
	one := newDeskOn(t, s, answers(200, "{}"), transactional)
	for _, age := range []time.Duration{0, time.Minute} {
		r := request{key: keyMadeAt(time.Now().Add(-age))}
		var wait sync.WaitGroup
		wait.Go(func() { two.send(r) })
		<-began
		one.send(r).fails(409, "IdempotencyKeyInProgressException")
		if age > 0 {
			open()
		}
		t.Cleanup(wait.Wait)
	}
}

// A key too old to have a record is executed or refused, as configured; one that
// has a record is answered from it in any case.
func TestStaleKeys(t *testing.T) {
	t.Parallel()
	old := 36 * time.Minute
	for _, mode := range []runtime.Mode{runtime.ModeTwoPhase, runtime.ModeTransactional} {
		for policy, refused := range map[runtime.StaleKey]bool{"": false, runtime.StaleKeyExecute: false, runtime.StaleKeyReject: true} {
			d := newDeskOn(t, newTxStore(t), answers(200, "{}"), func(cfg *runtime.Config) { cfg.Mode, cfg.StaleKey = mode, policy })
			r := request{key: keyMadeAt(time.Now().Add(-old))}
			a := d.send(r)
			if !refused {
				a.is(200, "{}").replayed(false)
				d.send(r).is(200, "{}").replayed(true)
				continue
			}
			a.fails(400, "BadRequestException")
			if !strings.Contains(a.Body.String(), "PT35M") {
				t.Errorf("the answer does not say how old is too old: %s", a.Body)
			}
			d.ran(0)
			d.send(request{key: keyMadeAt(time.Now().Add(-34 * time.Minute))}).is(200, "{}").replayed(false)

			// The record of a key that is in use for long lives from its last change.
			executing := newDeskOn(t, d.store, answers(200, "{}"), func(cfg *runtime.Config) { cfg.Mode = mode })
			executing.send(r).is(200, "{}").replayed(false)
			d.send(r).is(200, "{}").replayed(true)
			d.send(request{key: r.key, user: "eve"}).fails(422, "IdempotencyKeyReusedException")
		}
	}
}
