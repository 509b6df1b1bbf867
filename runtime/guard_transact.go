package runtime

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/onceberg/onceberg/store"
)

// transact runs the handler inside the transaction that records its outcome.
// There is no reservation and no lease: a crash leaves nothing behind, and a
// twin on another node meets the winner's record when it inserts its own. What
// the store rolled back certainly was not applied, so nothing here is ever
// unclear but a commit whose answer did not come, and what became of an attempt
// that a two-phase node began and lost.
func (k *call) transact() error {
	k.execution = &execution{rec: captures.Get().(*capture)}
	defer k.rec.free()
	k.run.begin(k.requestContext(), k.ex, time.Now().Add(k.g.cfg.ExecutionTimeout))
	defer k.run.end()
	k.ex.key = k.claim.Key

	k.claim.Token = k.g.tokens.next()
	m := &mutation{call: k}
	mutate := m.mutate
	if slices.Contains(k.g.cfg.ReadOnly, k.ex.op.ID) {
		outcome, decision, _ := m.mutate(&k.run)
		if decision == store.Abort {
			return k.unrecorded(m)
		}
		mutate = func(context.Context) (store.Outcome, store.Decision, error) { return outcome, decision, nil }
	}
	record, err := k.g.transactional.Transact(&k.run, k.claim, mutate)
	switch {
	case err != nil:
		return k.transactFailed(m, err)
	case record != nil:
		return k.yield(m, record)
	case m.decision == store.Abort:
		return k.unrecorded(m)
	}
	k.note(EventExecuted)
	k.land(&k.result)
	return k.send(m.err)
}

// yield answers from the record that wins over a transaction that was rolled
// back. A lapsed reservation wins over refusals alone, and makes them doubtful.
func (k *call) yield(m *mutation, record *store.Record) error {
	if answered, err := k.fromRecord(record); answered {
		return err
	}
	if record.Lapsed {
		k.note(EventUnclear)
		return k.stateUnknown(m.err)
	}
	return k.inProgress()
}

// unrecorded answers what is not final. For such a refusal the store does not
// look at the key, but clients clean up after it all the same: not if another
// attempt was applied, or may have been.
func (k *call) unrecorded(m *mutation) error {
	if misleading(k.rec.status) {
		record, err := k.g.store.Load(k.requestContext(), k.claim.Key)
		switch {
		case err == nil:
			return k.yield(m, record)
		case !errors.Is(err, store.ErrNotFound):
			return k.transactFailed(m, err)
		}
	}
	k.note(EventReleased)
	k.land(nil)
	return k.send(m.err)
}

// mutation is a call's handler in the form that a store runs.
type mutation struct {
	*call
	ran      bool
	decision store.Decision
	err      error
}

// mutate is a store.Mutation. The store may run it again after a deadlock, so
// it keeps nothing from one run to the next.
func (m *mutation) mutate(ctx context.Context) (store.Outcome, store.Decision, error) {
	m.ran = true
	m.err = m.attempt(ctx, m.h)
	switch status := m.rec.status; {
	case success(status):
		m.decision = store.Commit
	case Final(status):
		m.decision = store.Reject
	default:
		m.decision = store.Abort
		return store.Outcome{}, store.Abort, nil
	}
	m.result = m.outcome()
	return m.result, m.decision, nil
}

// transactFailed answers for a transaction that did not come to its end.
func (k *call) transactFailed(m *mutation, err error) error {
	if !m.ran {
		return k.storeFailed(err)
	}
	k.note(EventStoreError)
	k.land(nil)
	if errors.Is(err, store.ErrUnknownOutcome) {
		k.note(EventUnclear)
		e := Errorf(http.StatusInternalServerError, TypeStateUnknown,
			"The transaction was sent and its answer did not come; whether it was applied is not known")
		e.Cause = err
		return e
	}
	if errors.Is(err, store.ErrCorrupt) {
		return k.unreplayable("it cannot be read", err)
	}
	k.note(EventRefused)
	e := storeUnavailable("The transaction could not be committed and was rolled back", err)
	e.NotApplied = true
	return e
}
