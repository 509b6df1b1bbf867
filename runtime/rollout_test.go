package runtime_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

// Nodes of both forms share a database while one replaces the other. What an
// attempt in two phases left behind means "perhaps applied" to a transaction too:
// a success is believed, a refusal is neither recorded nor answered as one. A
// young key, whose record is not looked up first, fares no differently.
func TestTransactionalAfterALostAttempt(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*testing.T, *txStore, request){
		"crashed": func(t *testing.T, s *txStore, r request) {
			crash(t, s.Store, r)
			time.Sleep(30 * time.Second) //nolint:forbidigo // the bubble's time, not ours
		},
		"unclear": func(t *testing.T, s *txStore, r request) {
			newDeskOn(t, s.Store, fails(errDown)).send(r).fails(500, "CommitStateUnknownException")
		},
	} {
		for _, status := range []int{200, 400, 401, 403, 404, 409, 422, 429, 501, 503} {
			synctest.Test(t, func(t *testing.T) {
				s := newTxStore(t)
				r := request{path: tableT, key: keyMadeAt(time.Now())} // of the bubble's time
				leave(t, s, r)
				refusal := fails(runtime.Errorf(status, "X", "m"))
				d := newDeskOn(t, s, func(c echo.Context) error {
					if name == "crashed" && !runtime.TakenOver(c.Request().Context()) {
						t.Error("the handler does not learn of the lost attempt")
					}
					write(c, "t", "1")
					if status == 200 {
						return answers(200, "{}")(c)
					}
					return refusal(c)
				}, transactional)
				for range 2 {
					a := d.send(r)
					switch status {
					case 200:
						a.is(200, "{}")
						continue
					case 503:
						a.fails(503, "X")
					default:
						a.fails(500, "CommitStateUnknownException")
					}
					if d.record(r.key).Final() || s.row("t") != "" {
						t.Errorf("%s, %d: recorded, or written", name, status)
					}
				}
				if status != 503 { // which is told before anybody asks whose the key is
					d.send(request{path: tableT, key: r.key, user: "eve"}).fails(422, "IdempotencyKeyReusedException")
				}
				d.now(answers(200, "{}"))
				d.send(r).is(200, "{}").replayed(status == 200)
				d.send(r).is(200, "{}").replayed(true)
			})
		}
	}
}

// A refusal that is not recorded says nothing as long as another attempt runs,
// and loses against the record of one that was applied.
func TestTransactionalRefusalBesideAnother(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	held, began, open := gate(answers(200, "{}"))
	refused, refuses, refuse := gate(fails(runtime.Errorf(403, "", "m")))
	two := newDeskOn(t, s.Store, held)
	one := newDeskOn(t, s, refused, transactional)
	r := request{path: tableT, key: newKey()}
	answered := make(chan *answer)
	go func() { answered <- two.send(r) }()
	<-began
	go func() { answered <- one.send(r) }()
	<-refuses
	refuse()
	(<-answered).fails(503, "IdempotencyKeyInProgressException")
	open()
	(<-answered).is(200, "{}")
	one.send(r).is(200, "{}").replayed(true)
}

// Where the record is out of reach, a refusal stays one that nobody can believe.
func TestTransactionalRefusalWithoutAnswerFromTheStore(t *testing.T) {
	t.Parallel()
	s := newTxStore(t)
	d := newDeskOn(t, &unreadable{s}, fails(runtime.Errorf(403, "", "m")), transactional)
	d.send(request{path: tableT, key: newKey()}).fails(503, "ServiceUnavailableException")
}

// unreadable is a store that runs transactions and cannot be asked.
type unreadable struct{ *txStore }

func (*unreadable) Load(context.Context, string) (*store.Record, error) { return nil, errDown }
