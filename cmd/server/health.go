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
	// checks are what a request needs.
	checks   []check
	stopping atomic.Bool
}

func (h *health) routes(e *echo.Echo) {
	e.GET("/healthz", func(c echo.Context) error { return c.JSON(http.StatusOK, verdict{Status: "ok"}) })
	e.GET("/readyz", h.ready)
}

// check is one thing that requests need: run returns an error when it is not
// there, and reason says so without details.
type check struct {
	reason string
	run    func(context.Context) error
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
	for _, check := range h.checks {
		if err := check.run(ctx); err != nil {
			h.log.WarnContext(ctx, "not ready", slog.Any("cause", err))
			return c.JSON(http.StatusServiceUnavailable, verdict{"not ready", check.reason})
		}
	}
	return c.JSON(http.StatusOK, verdict{Status: "ready"})
}
