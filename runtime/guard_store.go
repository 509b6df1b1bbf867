package runtime

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/onceberg/onceberg/store"
)

// storeRetry is when a client should try again after the store failed.
const storeRetry = time.Second

// storeTimeout bounds each call of the store that no request waits for.
const storeTimeout = 5 * time.Second

// storeFailed answers a request whose handler did not run because the store
// failed.
func (k *call) storeFailed(err error) error {
	ctx := k.requestContext()
	if errors.Is(err, store.ErrCorrupt) {
		return k.unreplayable("it cannot be read", err)
	}
	if ctx.Err() != nil { // the client left, and is not the store's failure
		k.note(EventRefused)
		return storeUnavailable("The request was not executed", nil)
	}
	k.note(EventStoreError)
	if !errors.Is(err, store.ErrFull) && k.g.cfg.OnStoreError == StoreErrorBypass {
		k.g.cfg.Logger.WarnContext(ctx, "store out of reach; running without idempotency",
			slog.String("operation", k.ex.op.ID), k.keyAttr(), slog.Any("cause", err))
		k.land(nil)
		k.note(EventBypassed)
		k.execution = &execution{}
		request := k.c.Request()
		k.c.SetRequest(k.detached(k.ex.within(ctx), request))
		defer k.c.SetRequest(request)
		return k.h(k.c)
	}
	k.note(EventRefused)
	if errors.Is(err, store.ErrFull) {
		return storeUnavailable("There is no room for another idempotency record; the request was not executed", err)
	}
	return storeUnavailable("Idempotency records are out of reach; the request was not executed", err)
}

func storeUnavailable(message string, cause error) *Error {
	e := Errorf(http.StatusServiceUnavailable, "", "%s", message)
	e.RetryAfter, e.Cause = storeRetry, cause
	return e
}

// abandon gives up a reservation that a call which was cut short may have made:
// without that, retries would find the key in progress until the lease ends.
func (k *call) abandon(err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		k.abandonLater()
	}
}

// keyAttr names a key in the log by its first characters, enough to find it.
func (k *call) keyAttr() slog.Attr { return keyAttr(k.claim.Key) }

func keyAttr(key string) slog.Attr { return slog.String("key", key[:8]) }

// note tells the observer about an event.
func (k *call) note(event Event) {
	if o := k.g.cfg.Observer; o != nil {
		o.Observe(k.requestContext(), k.ex.op, event, time.Since(k.began))
	}
}
