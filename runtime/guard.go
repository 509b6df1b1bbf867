package runtime

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/store"
)

// Guard applies each keyed mutation once. It stands in front of every generated
// operation and is safe for any number of goroutines. A nil Guard works: it
// stands for idempotency switched off, and ignores the key header whatever it
// holds.
type Guard struct {
	cfg   Config
	store store.Store
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
	return &Guard{cfg: cfg, store: s}, nil
}

// Lifetime returns how long a key may be retried, as GET /v1/config advertises
// it by FormatDuration; zero when keys are ignored.
func (g *Guard) Lifetime() time.Duration {
	if g == nil || g.store == nil {
		return 0
	}
	return g.cfg.Lifetime
}

// Handler wraps the handler of one operation; generated code wraps every one,
// reads too. See the package documentation for what a keyed request gets.
//
// Every error and panic of h is answered here, in the form that the operation's
// clients read. The error is returned all the same, so that middlewares outside
// learn of it; Echo and ErrorHandler leave a response alone that has begun.
func (g *Guard) Handler(op *Operation, h echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		ex := begin(c, op, g.maxRequestBody())
		defer func() {
			if value := recover(); value != nil {
				err = g.recovered(c, value)
			}
			if err != nil && !c.Response().Committed {
				answerError(c, err, g.logger())
			}
		}()
		return g.serve(c, ex, h)
	}
}

func (g *Guard) serve(c echo.Context, ex *exchange, h echo.HandlerFunc) error {
	if g == nil {
		return h(c)
	}
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
	err := g.cfg.Authorize(c.Request().Context(), newRequest(c, ex))
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
