package runtime_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// A path with segments behind a route's last parameter is no operation's, and
// must not be served as that of the shorter path.
func TestLastParameterTakesOneSegment(t *testing.T) {
	t.Parallel()
	served := ""
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandler
	op := &runtime.Operation{ID: "dropTable", Method: http.MethodDelete, Path: "/v1/tables/{table}"}
	var guard *runtime.Guard
	e.DELETE("/v1/tables/:table", guard.Handler(op, func(c echo.Context) error {
		var err error
		served, _, err = runtime.PathValue(c, "table")
		if err == nil {
			c.Response().WriteHeader(http.StatusNoContent)
		}
		return err
	}))
	for target, want := range map[string]struct {
		status int
		table  string
	}{
		"/v1/tables/a":         {http.StatusNoContent, "a"},
		"/v1/tables/a%2Fb":     {http.StatusNoContent, "a/b"},
		"/v1/tables/a/b":       {http.StatusBadRequest, ""},
		"/v1/tables/a/":        {http.StatusBadRequest, ""},
		"/v1/tables/a%2Fb/c/d": {http.StatusBadRequest, ""},
	} {
		served = ""
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodDelete, target, nil))
		if w.Code != want.status || served != want.table {
			t.Errorf("%s: status %d, served %q; want %d, %q", target, w.Code, served, want.status, want.table)
		}
	}
}
