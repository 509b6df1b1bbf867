package main

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
)

// readyTimeout bounds what a readiness probe waits for.
const readyTimeout = 2 * time.Second

// health answers the probes of whatever runs the server.
type health struct {
	log *slog.Logger
	// check returns an error when a keyed request could not be served now.
	check    func(context.Context) error
	stopping atomic.Bool
}

func (h *health) routes(e *echo.Echo) {
	e.GET("/healthz", func(c echo.Context) error { return c.JSON(http.StatusOK, verdict{Status: "ok"}) })
	e.GET("/readyz", h.ready)
}

type verdict struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// ready says why not in a few words of its own; the log has the rest.
func (h *health) ready(c echo.Context) error {
	if h.stopping.Load() {
		return c.JSON(http.StatusServiceUnavailable, verdict{"not ready", "the server is stopping"})
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyTimeout)
	defer cancel()
	if err := h.check(ctx); err != nil {
		h.log.WarnContext(ctx, "not ready", slog.Any("cause", err))
		return c.JSON(http.StatusServiceUnavailable, verdict{"not ready", "the idempotency store cannot be used"})
	}
	return c.JSON(http.StatusOK, verdict{Status: "ready"})
}
