package client_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// ledger is a backend that counts how often each mutation was applied.
type ledger struct {
	generated.Unimplemented
	lifetime time.Duration
	// begun is called before a mutation is applied; it may take its time.
	begun func(ctx context.Context, mutation string) error

	mu      sync.Mutex
	exists  map[string]bool
	applied map[string]int
}

func (l *ledger) GetConfig(context.Context, generated.GetConfigRequestObject) (generated.GetConfigResponseObject, error) {
	body := generated.CatalogConfig{Defaults: map[string]string{}, Overrides: map[string]string{}}
	if text := runtime.FormatDuration(l.lifetime); text != "" {
		body.IdempotencyKeyLifetime = &text
	}
	return generated.GetConfig200JSONResponse{Body: body}, nil
}

// CreateNamespace refuses the second creation: without a key, a retry would fail.
func (l *ledger) CreateNamespace(
	ctx context.Context, r generated.CreateNamespaceRequestObject,
) (generated.CreateNamespaceResponseObject, error) {
	name := strings.Join(r.Body.Namespace, ".")
	if err := l.apply(ctx, "create "+name, name, false); err != nil {
		return nil, err
	}
	return generated.CreateNamespace200JSONResponse{
		Body: generated.CreateNamespaceResponse{Namespace: r.Body.Namespace, Properties: r.Body.Properties},
	}, nil
}

func (l *ledger) DropNamespace(
	ctx context.Context, r generated.DropNamespaceRequestObject,
) (generated.DropNamespaceResponseObject, error) {
	if err := l.apply(ctx, "drop "+r.Namespace, r.Namespace, true); err != nil {
		return nil, err
	}
	return generated.DropNamespace204Response{}, nil
}

// apply makes a name exist or not, if it is as it has to be for that.
func (l *ledger) apply(ctx context.Context, mutation, name string, exists bool) error {
	if l.begun != nil {
		if err := l.begun(ctx, mutation); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.exists[name] == exists:
	case exists:
		return runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "Namespace does not exist: %s", name)
	default:
		return runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "Namespace already exists: %s", name)
	}
	l.exists[name] = !exists
	l.applied[mutation]++
	return nil
}

func (l *ledger) count(mutation string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.applied[mutation]
}

// catalog is a server of generated handlers behind a proxy.
type catalog struct {
	*ledger
	proxy *clienttest.Proxy
	url   string
	close func()
}

// newCatalog serves a ledger. The keys' first attempts are waited for no longer
// than patience.
func newCatalog(t testing.TB, patience time.Duration, choose func(*http.Request) clienttest.Fault) *catalog {
	t.Helper()
	records, err := memory.New(memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{WaitTimeout: patience, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{lifetime: guard.Lifetime(), exists: map[string]bool{}, applied: map[string]int{}}
	e := echo.New()
	generated.Register(e, l, guard)
	server := httptest.NewServer(e)
	proxy, err := clienttest.NewProxy(specwatch.Front(t, server.URL), choose)
	if err != nil {
		t.Fatal(err)
	}
	return &catalog{ledger: l, proxy: proxy, url: proxy.URL + "/v1/namespaces", close: func() {
		_ = proxy.Close()
		server.Close()
		if err := guard.Close(context.Background()); err != nil {
			t.Error(err)
		}
		_ = records.Close()
	}}
}

// hurried is a clock whose waits take a millisecond, and which goes on as if they
// had taken their time.
type hurried struct{ *clock }

func (c hurried) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return c.clock.Wait(ctx, d)
}

// newClient returns an HTTP client with a Transport, and what closes it.
func newClient(t testing.TB, change func(*client.Options)) (*http.Client, func()) {
	t.Helper()
	network := &http.Transport{}
	o := client.Options{Operations: generated.Operations, Base: network, Clock: hurried{newClock()}}
	change(&o)
	transport, err := client.NewTransport(o)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Transport: transport}, network.CloseIdleConnections
}
