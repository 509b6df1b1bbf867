package runtime

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/store"
)

// call is one keyed request on its way through the guard.
type call struct {
	flight
	*execution
	g      *Guard
	c      echo.Context
	ex     *exchange
	h      echo.HandlerFunc
	began  time.Time
	claim  store.Claim
	waited bool
	// handedOver is true when a background task lands the flight.
	handedOver bool
	// own is what ex points at: one allocation for both.
	own exchange
}

// execution is what a call needs besides when it runs the handler, in one piece.
type execution struct {
	rec    *capture
	reader bodyReader
	run    lifespan
	end    lifespan
	lease  lease
	result store.Outcome
}

// keyed serves a request that carries the key header. The request is left as it
// is, since only a handler that runs needs to find the exchange in its context.
func (g *Guard) keyed(c echo.Context, op *Operation, h echo.HandlerFunc, values []string) error {
	k := &call{g: g, c: c, h: h, began: time.Now(), own: exchange{op: op, maxBody: g.cfg.MaxRequestBody}}
	k.ex = &k.own
	if err := g.authorize(c, k.ex); err != nil {
		return err
	}
	if !g.tasks.start() {
		return storeUnavailable("The server is shutting down", nil)
	}
	defer g.tasks.done()
	if err := k.identify(values); err != nil {
		return err
	}
	return k.answer()
}

// identify reads the key and what it is bound to.
func (k *call) identify(values []string) error {
	key, err := parseKey(k.ex.op.KeyHeader, values, k.g.cfg.AnyUUIDVersion)
	if err != nil {
		k.note(EventInvalidKey)
		return err
	}
	k.claim.Key, k.claim.Lease, k.claim.Retain = key, k.g.cfg.Lease, k.g.retain
	k.binding = &k.claim.Binding
	body, err := k.ex.readBody(k.c.Request())
	if err == nil {
		*k.binding, err = bind(k.c, k.ex.op, body)
	}
	if err != nil {
		k.note(EventRefused)
	}
	return err
}

// answer leads the key's flight, or waits for the request that does and answers
// from what it came to.
func (k *call) answer() error {
	for {
		leader := k.g.flights.join(k.claim.Key, &k.flight)
		if leader == nil {
			return k.lead()
		}
		if !leader.binding.Same(*k.binding) {
			return k.answerBeside(leader.bound.Load())
		}
		switch {
		case !k.await(leader):
			return k.inProgress()
		case leader.outcome != nil:
			return k.replay(leader.outcome)
		case k.outOfPatience():
			return k.inProgress()
		}
		k.poll = leader.poll
	}
}

// answerBeside serves a request whose key is in flight with another binding. If
// that flight holds the key, it was here first. Otherwise the store knows whose
// the key is; it may be this request's, and the flight the impostor.
func (k *call) answerBeside(bound bool) error {
	if bound {
		return k.keyReused()
	}
	record, err := k.g.store.Load(k.requestContext(), k.claim.Key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return k.keyReused()
	case err != nil:
		return k.storeFailed(err)
	case !record.Binding.Same(*k.binding):
		return k.keyReused()
	}
	return k.lead()
}

// lead deals with the store for all requests with the key.
func (k *call) lead() error {
	defer func() {
		if !k.handedOver {
			k.land(nil)
		}
	}()
	if answered, err := k.lookFirst(); answered || err != nil {
		return err
	}
	if k.g.transactional != nil {
		return k.transact()
	}
	return k.reserve()
}

// land ends the flight, if it was this call's, before the client is answered:
// those who wait must not wait for a slow client too.
func (k *call) land(outcome *store.Outcome) { k.g.flights.land(k.claim.Key, &k.flight, outcome) }

// reserve claims the key in the store, asking again while an attempt on another
// node holds it. One statement decides each time: final, held, or ours.
func (k *call) reserve() error {
	for k.untilDue() {
		k.claim.Token = k.g.tokens.next()
		reservation, err := k.g.store.Reserve(k.requestContext(), k.claim)
		if err != nil {
			k.abandon(err)
			return k.storeFailed(err)
		}
		if reservation.Acquired {
			return k.execute(reservation.TakenOver)
		}
		if answered, err := k.fromRecord(reservation.Existing); answered {
			return err
		}
		k.poll.again()
	}
	return k.inProgress()
}

// fromRecord answers from a record that holds the key, unless it is this
// request's and not final yet.
func (k *call) fromRecord(record *store.Record) (answered bool, err error) {
	switch {
	case !record.Binding.Same(*k.binding):
		return true, k.keyReused()
	case !record.Final():
		return false, nil
	}
	k.land(record.Outcome)
	return true, k.replay(record.Outcome)
}

// keyReused reveals nothing of the request that the key belongs to.
func (k *call) keyReused() error {
	k.note(EventMismatch)
	return Errorf(http.StatusUnprocessableEntity, TypeKeyReused,
		"%s was used before with another request", k.ex.op.KeyHeader)
}
