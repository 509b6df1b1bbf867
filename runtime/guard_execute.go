package runtime

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/onceberg/onceberg/store"
)

// execute runs the handler under a reservation that this call holds, and
// concludes the reservation before it answers.
//
// The request's context ends when the client hangs up, and that client will
// retry. So neither the handler nor the record depends on it: both have contexts
// that outlive it, bounded in time.
func (k *call) execute(takenOver bool) error {
	g := k.g
	k.bound.Store(true)
	k.execution = &execution{rec: captures.Get().(*capture)}
	defer k.rec.free()
	began := k.now()
	k.run.begin(k.requestContext(), k.ex, began.Add(g.cfg.ExecutionTimeout))
	k.ex.key = k.claim.Key
	k.lease.key, k.lease.token, k.lease.since = k.claim.Key, k.claim.Token, began
	g.leases.hold(&k.lease)
	// Released below; but a hook that panics must not leave it held for ever.
	defer g.leases.release(&k.lease)

	var err error
	sure := true
	if takenOver {
		k.note(EventTakenOver)
	}
	if takenOver || k.forgotten() {
		err, sure = k.attemptAgain()
	} else {
		err = k.attempt(&k.run, k.h)
	}
	k.run.end()
	lost := g.leases.release(&k.lease)
	k.end.begin(k.requestContext(), k.ex, k.now().Add(storeTimeout))
	defer k.end.end()

	if lost {
		return k.leaseLost(err)
	}
	switch judge(k.rec.status, err, sure) {
	case conclusive:
		return k.finalize(err)
	case untouched:
		return k.release(err)
	}
	return k.letGo(err, sure)
}

// finalize records the outcome, then answers. When the store fails now, the
// mutation stands all the same: the client gets its true answer, and the record
// is written in the background.
func (k *call) finalize(err error) error {
	k.result = k.outcome()
	failure := k.g.store.Finalize(&k.end, k.claim.Key, k.claim.Token, k.result, k.claim.Retain)
	switch {
	case errors.Is(failure, store.ErrLeaseLost):
		return k.leaseLost(err)
	case failure != nil:
		k.note(EventStoreError)
		k.finalizeLater(failure)
	default:
		k.land(&k.result)
	}
	k.note(EventExecuted)
	return k.send(err)
}

// release forgets the key: nothing was applied, so the next attempt is a first
// one.
func (k *call) release(err error) error {
	failure := k.g.store.Release(&k.end, k.claim.Key, k.claim.Token)
	switch {
	case errors.Is(failure, store.ErrLeaseLost):
		return k.leaseLost(err)
	case failure != nil:
		k.note(EventStoreError)
		k.releaseLater()
	}
	k.note(EventReleased)
	k.land(nil)
	return k.send(err)
}

// letGo ends the lease of a reservation without forgetting it, so that the next
// attempt takes it over and knows of this one. After a lost attempt an answer
// that clients take for a failure is replaced.
func (k *call) letGo(err error, sure bool) error {
	failure := k.g.store.Renew(&k.end, k.claim.Key, k.claim.Token, 0)
	switch {
	case errors.Is(failure, store.ErrLeaseLost):
		return k.leaseLost(err)
	case failure != nil:
		k.note(EventStoreError)
		k.letGoLater()
	}
	k.note(EventUnclear)
	k.land(nil)
	if !sure && misleading(k.rec.status) {
		return k.stateUnknown(err)
	}
	return k.send(err)
}

// leaseLost ends an attempt that another one has taken the key from. Its record
// is not ours to write. A success is still the truth; a refusal may come from
// the other attempt's own success.
func (k *call) leaseLost(err error) error {
	k.g.cfg.Logger.Warn("lease lost while the handler ran", k.keyAttr(), slog.String("operation", k.ex.op.ID))
	k.note(EventLeaseLost)
	k.note(EventUnclear)
	k.land(nil)
	if misleading(k.rec.status) {
		return k.stateUnknown(err)
	}
	return k.send(err)
}

// send answers with what the handler answered.
func (k *call) send(err error) error {
	if aborted(err) {
		panic(http.ErrAbortHandler)
	}
	k.rec.send(k.c.Response())
	return err
}
