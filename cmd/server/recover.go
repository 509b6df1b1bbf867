package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// recovered answers a panic outside of the guard, which sees to its own, with
// Iceberg's 500. http.ErrAbortHandler goes on: the guard means it.
func recovered(log *slog.Logger) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) (err error) {
			defer func() {
				value := recover()
				switch value {
				case nil:
					return
				case http.ErrAbortHandler:
					panic(value)
				}
				log.ErrorContext(c.Request().Context(), "panic",
					slog.String("value", fmt.Sprint(value)), slog.String("stack", string(debug.Stack())))
				err = runtime.Errorf(http.StatusInternalServerError, "", "Internal server error")
			}()
			return next(c)
		}
	}
}
