package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	catalog "github.com/onceberg/onceberg/generated" // yours, in a project of your own
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// lake is a backend that serves two operations.
type lake struct {
	catalog.Unimplemented
	lifetime time.Duration
}

func (l *lake) GetConfig(context.Context, catalog.GetConfigRequestObject) (catalog.GetConfigResponseObject, error) {
	endpoints := catalog.EndpointsOf(catalog.FindOperation("createNamespace"), catalog.FindOperation("dropNamespace"))
	body := catalog.CatalogConfig{Endpoints: &endpoints}
	if lifetime := runtime.FormatDuration(l.lifetime); lifetime != "" {
		body.IdempotencyKeyLifetime = &lifetime
	}
	return catalog.GetConfig200JSONResponse{Body: body}, nil
}

func (l *lake) CreateNamespace(_ context.Context, r catalog.CreateNamespaceRequestObject) (catalog.CreateNamespaceResponseObject, error) {
	return catalog.CreateNamespace200JSONResponse{Body: catalog.CreateNamespaceResponse{Namespace: r.Body.Namespace}}, nil
}

func (l *lake) DropNamespace(context.Context, catalog.DropNamespaceRequestObject) (catalog.DropNamespaceResponseObject, error) {
	return catalog.DropNamespace204Response{}, nil
}

// Clients send keys to a server that advertises how long a key may be retried.
func ExampleGuard_Lifetime() {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	defer records.Close()
	guard, err := runtime.NewGuard(records, runtime.Config{Lifetime: 90 * time.Minute})
	if err != nil {
		panic(err)
	}
	defer guard.Close(context.Background())
	e := echo.New()
	catalog.Register(e, &lake{lifetime: guard.Lifetime()}, guard)

	ask(e, http.MethodGet, "/v1/config", "")
	// Output:
	// 200 {"defaults":{},"endpoints":["POST /v1/{prefix}/namespaces","DELETE /v1/{prefix}/namespaces/{namespace}"],"idempotency-key-lifetime":"PT1H30M","overrides":{}}
}

// ask sends a request, with headers as name, value, name, value, and prints the
// answer.
func ask(h http.Handler, method, path, body string, header ...string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text := fmt.Sprint(w.Code)
	if w.Header().Get("Idempotency-Replayed") == "true" {
		text += " replayed"
	}
	fmt.Println(strings.TrimSpace(text + " " + w.Body.String()))
}
