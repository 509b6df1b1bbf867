package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// newRouter returns an Echo that answers every error in Iceberg's form and logs
// each request; routes are still to come.
func newRouter(log *slog.Logger) *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandlerTo(log)
	e.Use(identify, accessLog(log), recovered(log))
	return e
}

// catalogRoutes adds the catalog's routes, each behind what stands in front of
// catalog calls and of nothing else.
type catalogRoutes struct {
	*echo.Echo
	observation *observation
	// authenticate returns what stands in front of an operation.
	authenticate func(operation string) echo.MiddlewareFunc
}

var _ generated.Router = catalogRoutes{}

// Add implements generated.Router.
func (r catalogRoutes) Add(method, path string, handler echo.HandlerFunc, _ ...echo.MiddlewareFunc) *echo.Route {
	operation := operationAt(method, path)
	return r.Echo.Add(method, path, handler, r.observation.of(operation), r.authenticate(operation))
}

// operationAt is the id of the operation that a route belongs to, with or
// without the optional prefix.
func operationAt(method, route string) string {
	for _, op := range generated.Operations {
		path := strings.NewReplacer("{", ":", "}", "").Replace(op.Path)
		if op.Method == method && (route == path || route == strings.Replace(path, "/:prefix", "", 1)) {
			return op.ID
		}
	}
	panic(fmt.Sprintf("no operation has the route %s %s", method, route))
}
