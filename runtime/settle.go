package runtime

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/onceberg/onceberg/store"
)

// finalizeLater writes the record of a mutation that took place, in the
// background, until it stands, another attempt has taken the key, or nobody can
// ask for it any more. The flight stays up so long: requests with the key that
// reach this process wait and are told to come back, and none of them executes.
// The lease is renewed, so that the same holds on other nodes as far as the store
// can be reached.
func (k *call) finalizeLater(cause error) {
	k.handedOver = true
	k.g.cfg.Logger.Error("outcome not recorded yet; trying on", k.keyAttr(),
		slog.String("operation", k.ex.op.ID), slog.Any("cause", cause))
	k.inBackground(k.g.cfg.Lifetime, func(ctx context.Context) bool {
		outcome, settled := k.finalizeAgain(ctx)
		if settled {
			k.land(outcome)
		}
		return settled
	}, func() { k.land(nil) })
}

// finalizeAgain repeats a finalize whose result is not known, and reports
// whether it is now; the outcome is nil when the key is somebody else's.
func (k *call) finalizeAgain(ctx context.Context) (outcome *store.Outcome, settled bool) {
	key, token := k.claim.Key, k.claim.Token
	err := k.g.store.Finalize(ctx, key, token, k.result, k.claim.Retain)
	switch {
	case err == nil:
		k.g.cfg.Logger.Info("outcome recorded after all", k.keyAttr(), slog.String("operation", k.ex.op.ID))
		return &k.result, true
	case errors.Is(err, store.ErrCorrupt), errors.Is(err, store.ErrClosed):
		k.logUnrecorded(err)
		return nil, true
	case !errors.Is(err, store.ErrLeaseLost):
		// A failure to renew shows in the next finalize.
		_ = k.g.store.Renew(ctx, key, token, k.g.cfg.Lease)
		return nil, false
	}
	record, err := k.g.store.Load(ctx, key)
	switch {
	case err == nil && record.Token == token && record.Final():
		return record.Outcome, true
	case err == nil, errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrCorrupt):
		k.logUnrecorded(store.ErrLeaseLost)
		return nil, true
	}
	return nil, false
}

func (k *call) logUnrecorded(cause error) {
	k.g.cfg.Logger.Error("outcome was answered and could not be recorded", k.keyAttr(),
		slog.String("operation", k.ex.op.ID), slog.Any("cause", cause))
}

// releaseLater forgets a reservation in the background, as long as its lease may
// run.
func (k *call) releaseLater() {
	key, token := k.claim.Key, k.claim.Token
	k.inBackground(k.g.cfg.Lease, func(ctx context.Context) bool {
		err := k.g.store.Release(ctx, key, token)
		return err == nil || errors.Is(err, store.ErrLeaseLost)
	}, func() {})
}

// letGoLater ends a lease in the background, as long as it may run.
func (k *call) letGoLater() {
	key, token := k.claim.Key, k.claim.Token
	k.inBackground(k.g.cfg.Lease, func(ctx context.Context) bool {
		err := k.g.store.Renew(ctx, key, token, 0)
		return err == nil || errors.Is(err, store.ErrLeaseLost)
	}, func() {})
}

// abandonLater gives up a reservation of which it is not known whether it was made.
// Nothing ran under it, so that the key starts afresh, unless the reservation was
// taken over: then an attempt was lost, and that is not to be forgotten.
func (k *call) abandonLater() {
	claim := k.claim
	k.inBackground(k.g.cfg.Lease, func(ctx context.Context) bool {
		reservation, err := k.g.store.Reserve(ctx, claim)
		switch {
		case err != nil:
			return false
		case !reservation.Acquired:
			return true
		case reservation.TakenOver:
			err = k.g.store.Renew(ctx, claim.Key, claim.Token, 0)
		default:
			err = k.g.store.Release(ctx, claim.Key, claim.Token)
		}
		return err == nil || errors.Is(err, store.ErrLeaseLost)
	}, func() {})
}

// inBackground repeats try with growing pauses until it reports true, and calls
// giveUp when that takes too long or the guard is closed. Close waits for it.
func (k *call) inBackground(limit time.Duration, try func(context.Context) bool, giveUp func()) {
	g := k.g
	g.tasks.fork()
	go func() {
		defer g.tasks.done()
		ctx, cancel := context.WithTimeout(g.life, limit)
		defer cancel()
		var pauses backoff
		for pause(ctx, pauses.next()) {
			if g.try(ctx, try) {
				return
			}
		}
		giveUp()
	}()
}

func (g *Guard) try(ctx context.Context, try func(context.Context) bool) bool {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return try(ctx)
}

// pause reports false when the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
