package runtime

import (
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"
)

// recovered turns a panic into an error that is answered as a 500. A response
// that has begun cannot be turned into one: the panic goes on, and the server
// cuts the connection, so that the client does not take half an answer for a
// whole one. The same holds for http.ErrAbortHandler, which asks for just that.
func (g *Guard) recovered(c echo.Context, value any) error {
	if value == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
		panic(value)
	}
	err := newPanicError(value)
	if c.Response().Committed {
		g.logger().ErrorContext(c.Request().Context(), "panic after the response began",
			slog.Any("cause", err), slog.String("stack", string(err.stack)))
		panic(http.ErrAbortHandler)
	}
	return err
}

func (g *Guard) logger() *slog.Logger {
	if g == nil {
		return slog.Default()
	}
	return g.cfg.Logger
}
