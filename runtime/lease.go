package runtime

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/onceberg/onceberg/store"
)

// renewal keeps the lease of a reservation while its handler runs. It is a
// timer, not a goroutine: an execution shorter than a third of the lease never
// starts one.
type renewal struct {
	mu     sync.Mutex
	timer  *time.Timer
	cancel context.CancelFunc // of the call of the store under way
	busy   sync.WaitGroup
	ended  bool
	lost   bool
}

// keepLease starts the renewals of a reservation.
func (k *call) keepLease() {
	r := &k.renewal
	r.mu.Lock()
	defer r.mu.Unlock()
	r.timer = time.AfterFunc(k.g.cfg.Lease/3, k.renewLease)
}

// endLease stops the renewals and reports whether the lease was lost meanwhile.
// None is under way any more when it returns, so that none can come after what
// the caller does to the reservation next.
func (k *call) endLease() (lost bool) {
	r := &k.renewal
	r.mu.Lock()
	r.ended = true
	r.timer.Stop()
	if r.cancel != nil {
		r.cancel()
	}
	r.mu.Unlock()
	r.busy.Wait()
	return r.lost
}

func (k *call) renewLease() {
	r, g := &k.renewal, k.g
	r.mu.Lock()
	if r.ended {
		r.mu.Unlock()
		return
	}
	ctx, cancel := context.WithTimeout(g.life, min(storeTimeout, g.cfg.Lease/3))
	defer cancel()
	r.cancel = cancel
	r.busy.Add(1)
	defer r.busy.Done()
	r.mu.Unlock()

	err := g.store.Renew(ctx, k.claim.Key, k.claim.Token, g.cfg.Lease)

	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel = nil
	switch {
	case r.ended:
	case errors.Is(err, store.ErrLeaseLost):
		r.lost = true
	case err != nil:
		g.cfg.Logger.Warn("lease not renewed", k.keyAttr(), slog.String("operation", k.ex.op.ID), slog.Any("cause", err))
		r.timer.Reset(g.cfg.Lease / 12)
	default:
		r.timer.Reset(g.cfg.Lease / 3)
	}
}
