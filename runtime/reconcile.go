package runtime

import (
	"log/slog"

	"github.com/labstack/echo/v4"
)

// Fate is what became of an attempt whose end nobody saw.
type Fate int

// The fates that a Reconcile hook can tell.
const (
	// FateUnknown: the hook cannot tell. The request is executed; only a
	// success is believed then.
	FateUnknown Fate = iota
	// FateNotApplied: the attempt changed nothing and never will. The request
	// is executed as if for the first time.
	FateNotApplied
	// FateApplied: the attempt took place. The request is not executed; the
	// response that the hook returns is recorded and answered. Without one the
	// client is told that the state is unknown.
	FateApplied
)

// attemptAgain executes a request whose earlier attempt was lost, with what the
// Reconcile hook can tell about that one. sure is true when the hook could.
func (k *call) attemptAgain() (err error, sure bool) {
	fate, response := k.reconcile()
	if fate == FateUnknown || fate == FateNotApplied {
		k.ex.takenOver = fate == FateUnknown
		err = k.attempt(&k.run, k.h)
		if judge(k.rec.status, err, true) != conclusive || success(k.rec.status) {
			return err, fate == FateNotApplied
		}
		// A refusal: perhaps the lost attempt came through in the meantime.
		fate, response = k.reconcile()
	}
	switch {
	case fate == FateApplied && response != nil:
		return k.attempt(&k.run, func(c echo.Context) error { return response(c.Response()) }), false
	case fate == FateApplied:
		return k.attempt(&k.run, func(echo.Context) error { return k.stateUnknown(nil) }), false
	}
	return err, fate == FateNotApplied
}

// reconcile asks the hook. An error or a panic of the hook is logged, and means
// that it cannot tell.
func (k *call) reconcile() (fate Fate, response Response) {
	if k.g.cfg.Reconcile == nil {
		return FateUnknown, nil
	}
	fate, response, err := k.askHook()
	if err != nil {
		k.g.cfg.Logger.Error("lost attempt not reconciled", k.keyAttr(), slog.String("operation", k.ex.op.ID), slog.Any("cause", err))
		return FateUnknown, nil
	}
	return fate, response
}

func (k *call) askHook() (fate Fate, response Response, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = newPanicError(value)
		}
	}()
	return k.g.cfg.Reconcile(&k.run, newRequest(k.c, k.ex))
}
