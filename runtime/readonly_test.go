package runtime_test

import (
	"sync"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

func readOnly(cfg *runtime.Config) {
	cfg.Mode, cfg.ReadOnly = runtime.ModeTransactional, []string{createTable.ID}
}

// A handler that changes nothing is over before its transaction begins; its
// outcome is recorded like any other.
func TestReadOnlyRunsAheadOfTheTransaction(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		handler  echo.HandlerFunc
		status   int
		recorded bool
	}{
		"success": {answers(200, "{}"), 200, true},
		"refused": {fails(runtime.Errorf(404, "", "m")), 404, true},
		"503":     {fails(runtime.Errorf(503, "", "m")), 503, false},
		"panic":   {func(echo.Context) error { panic("oh") }, 500, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTxStore(t)
			d := newDeskOn(t, s, test.handler, readOnly)
			s.begin = func() error { d.ran(1); return nil }
			r := request{key: newKey()}
			if a := d.send(r); a.Code != test.status {
				t.Errorf("got %d %s", a.Code, a.Body)
			}
			s.begin = nil
			a := d.send(r).replayed(test.recorded)
			if a.Code != test.status {
				t.Errorf("the retry got %d %s", a.Code, a.Body)
			}
		})
	}
}

// Other operations of the same guard run inside their transaction.
func TestReadOnlyIsForItsOperationsAlone(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	d := newDeskOn(t, s, func(c echo.Context) error {
		write(c, "t", "1")
		return c.JSONBlob(200, []byte("{}"))
	}, readOnly)
	s.begin = func() error { d.ran(0); return nil }
	d.send(request{path: tableT, key: newKey()}).is(200, "{}")
	if s.row("t") != "1" {
		t.Error("the write is missing")
	}
}

// A twin on another node may run as well; both answer with what was recorded.
func TestReadOnlyTwinOnAnotherNode(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	handler, began, open := gate(answers(200, `{"node":2}`))
	one, two := newDeskOn(t, s, answers(200, `{"node":1}`), readOnly), newDeskOn(t, s, handler, readOnly)
	r := request{key: newKey()}
	var wait sync.WaitGroup
	wait.Go(func() { two.send(r).is(200, `{"node":1}`).replayed(true) })
	<-began
	one.send(r).is(200, `{"node":1}`).replayed(false)
	open()
	wait.Wait()
}

// What could not be recorded is not answered as a success.
func TestReadOnlyStoreOutOfReach(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	s.begin = func() error { return errDown }
	d := newDeskOn(t, s, answers(200, "{}"), readOnly)
	r := request{key: newKey()}
	d.send(r).fails(503, "ServiceUnavailableException")
	s.begin = nil
	d.send(r).is(200, "{}").replayed(false)
}
