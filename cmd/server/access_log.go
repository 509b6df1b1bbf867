package main

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// accessLog writes a line for each request: catalog calls at info level, probes
// and metrics at debug level. It holds no header, no query and no body, in which
// there may be secrets. Errors are answered here, so that the line has the status
// which the client gets.
func accessLog(log *slog.Logger) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			began, finished := time.Now(), false
			defer func() {
				logAccess(log, c, time.Since(began), finished)
			}()
			if err := next(c); err != nil {
				c.Error(err)
			}
			finished = true
			return nil
		}
	}
}

func logAccess(log *slog.Logger, c echo.Context, took time.Duration, finished bool) {
	operation, isCatalog := c.Get(operationKey).(string)
	level := slog.LevelInfo
	if !isCatalog && c.Response().Status < http.StatusBadRequest {
		level = slog.LevelDebug
	}
	r := c.Request()
	if !log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.String("operation", operation),
		slog.Int("status", c.Response().Status),
		slog.Int64("bytes", c.Response().Size),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("remote", r.RemoteAddr),
		slog.String("principal", runtime.Principal(r.Context())),
		slog.Bool("replayed", c.Response().Header().Get("Idempotency-Replayed") == "true"),
	}
	if !finished {
		attrs = append(attrs, slog.Bool("cut", true))
	}
	log.LogAttrs(r.Context(), level, "request", attrs...)
}
