package runtime

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/store"
)

// Guard applies each keyed mutation once. It stands in front of every generated
// operation and is safe for any number of goroutines. A nil Guard works: it
// stands for idempotency switched off, and ignores the key header whatever it
// holds.
type Guard struct {
	cfg    Config
	retain time.Duration
	store  store.Store
	// transactional is the store again in ModeTransactional, else nil.
	transactional store.Transactional
	// born is when the guard was made, by the clock of Config.Now.
	born time.Time

	tokens  *tokens
	flights flights
	leases  leases
	waiters atomic.Int64
	tasks   tasks
	// closing is closed when Close begins, and sends the waiters home.
	closing chan struct{}
	// life is what background work lives on; it ends when Close stops waiting.
	life context.Context
	die  context.CancelFunc
}

// NewGuard returns a guard that keeps its records in s. A nil store gives a
// guard that authorizes and bounds requests but ignores keys. A bad value in
// cfg is an error that names the field. The store stays the caller's to close,
// after the guard.
func NewGuard(s store.Store, cfg Config) (*Guard, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(s); err != nil {
		return nil, err
	}
	g := &Guard{
		cfg:     cfg,
		retain:  cfg.Lifetime + cfg.Grace,
		born:    cfg.Now().Truncate(time.Millisecond), // as keys tell it
		store:   measured(s, cfg.Observer),
		tokens:  newTokens(),
		flights: flights{byKey: make(map[string]*flight)},
		closing: make(chan struct{}),
	}
	if cfg.Mode == ModeTransactional {
		g.transactional, _ = g.store.(store.Transactional)
	}
	g.leases.g, g.leases.period = g, cfg.Lease/6
	g.life, g.die = context.WithCancel(context.Background())
	return g, nil
}

// Close takes no more keyed requests and waits for those that run, and for the
// records still to be written in the background. Requests that only wait for
// others are sent home at once. When ctx ends first, background work is given
// up and the context's error returned; keyed handlers that still run end by
// their own deadline. Closing twice is harmless.
func (g *Guard) Close(ctx context.Context) error {
	if g == nil {
		return nil
	}
	idle, first := g.tasks.close()
	if first {
		close(g.closing)
	}
	defer g.leases.stop()
	defer g.die()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("runtime: closing the guard: %w", ctx.Err())
	}
}

// Lifetime returns how long a key may be retried, as GET /v1/config advertises
// it by FormatDuration; zero when keys are ignored.
func (g *Guard) Lifetime() time.Duration {
	if g == nil || g.store == nil {
		return 0
	}
	return g.cfg.Lifetime
}

// InFlight returns how many keyed requests are being served, those that wait
// included, and how many records are being written in the background; for a
// gauge.
func (g *Guard) InFlight() int {
	if g == nil {
		return 0
	}
	return g.tasks.count()
}

// Waiting returns how many requests wait for another one with their key; for a
// gauge.
func (g *Guard) Waiting() int {
	if g == nil {
		return 0
	}
	return int(g.waiters.Load())
}

// Handler wraps the handler of one operation; generated code wraps every one,
// reads too. See the package documentation for what a keyed request gets.
//
// Every error and panic of h is answered here, in the form that the operation's
// clients read. The error is returned all the same, so that middlewares outside
// learn of it; Echo and ErrorHandler leave a response alone that has begun.
func (g *Guard) Handler(op *Operation, h echo.HandlerFunc) echo.HandlerFunc {
	keyHeader := http.CanonicalHeaderKey(op.KeyHeader)
	return func(c echo.Context) (err error) {
		defer func() {
			if value := recover(); value != nil {
				err = g.recovered(c, value)
			}
			if err != nil && !c.Response().Committed {
				answerError(c, op, err, g.logger())
			}
		}()
		return g.serve(c, op, h, keyHeader)
	}
}

func (g *Guard) serve(c echo.Context, op *Operation, h echo.HandlerFunc, keyHeader string) error {
	if !fitsRoute(c) {
		return noRoute(c.Request())
	}
	if g == nil {
		begin(c, op, DefaultMaxRequestBody)
		return h(c)
	}
	if g.store != nil && op.Idempotent {
		if values := c.Request().Header[keyHeader]; len(values) > 0 {
			return g.keyed(c, op, h, values)
		}
	}
	ex := begin(c, op, g.cfg.MaxRequestBody)
	if err := g.authorize(c, ex); err != nil {
		return err
	}
	return h(c)
}

// authorize asks the hook. What it says about others than an Error stays here.
func (g *Guard) authorize(c echo.Context, ex *exchange) error {
	if g.cfg.Authorize == nil {
		return nil
	}
	ctx := c.Request().Context()
	if exchangeOf(ctx) == nil {
		ctx = ex.within(ctx)
	}
	err := g.cfg.Authorize(ctx, newRequest(c, ex))
	if err == nil {
		return nil
	}
	if e, ok := asError(err); ok {
		return e
	}
	e := Errorf(http.StatusForbidden, "", "Not authorized for operation %s", ex.op.ID)
	e.Cause = err
	return e
}
