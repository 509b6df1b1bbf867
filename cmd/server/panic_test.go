package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// panicky is a backend with a fault.
type panicky struct{ generated.Unimplemented }

func (panicky) CreateNamespace(context.Context, generated.CreateNamespaceRequestObject) (generated.CreateNamespaceResponseObject, error) {
	panic("s3cr3t")
}

// Case C7: a panic is Iceberg's 500, in the backend as in what stands before it,
// and the server lives on. Its text is the log's alone.
func TestPanics(t *testing.T) {
	t.Parallel()
	log := newOutput()
	logger := newLogger(&settings.Settings{}, log)
	telemetry, err := newTelemetry(t.Context(), &settings.Settings{}, logger)
	if err != nil {
		t.Fatal(err)
	}
	records, err := memory.New(memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	observed, err := newObservation(telemetry)
	if err != nil {
		t.Fatal(err)
	}
	e := newRouter(slog.New(logger.Handler()))
	generated.Mount(catalogRoutes{e, observed, func(string) echo.MiddlewareFunc {
		return func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				if c.Request().Method == http.MethodGet {
					panic("s3cr3t")
				}
				return next(c)
			}
		}
	}}, panicky{}, guard)
	for _, c := range []struct{ method, body, key string }{
		{http.MethodGet, "", ""},
		{http.MethodPost, `{"namespace":["a"]}`, ""},
		{http.MethodPost, `{"namespace":["a"]}`, newKey(t)},
	} {
		r := httptest.NewRequest(c.method, "/v1/namespaces", strings.NewReader(c.body))
		if c.key != "" {
			r.Header.Set("Idempotency-Key", c.key)
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != 500 || w.Header().Get("Content-Type") != "application/json" ||
			!strings.Contains(w.Body.String(), `"code":500`) || strings.Contains(w.Body.String(), "s3cr3t") {
			t.Errorf("%s: %d %v %s", c.method, w.Code, w.Header(), w.Body)
		}
	}
	if got := strings.Count(log.String(), "stack="); got != 3 {
		t.Errorf("%d of 3 panics are in the log:\n%s", got, log)
	}
}
