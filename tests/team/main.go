// Command catalog-server is what a team writes that builds a catalog of its own
// on onceberg: the code in catalog/ is generated, the files beside it are all the
// rest. It answers GET /v1/config and four operations, and 501 to the others.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"

	"example.com/team/catalog-server/catalog"
)

//go:generate go tool gen

// server keeps namespaces in a map.
type server struct {
	catalog.Unimplemented
	lifetime time.Duration

	mu         sync.Mutex
	namespaces map[string]catalog.CreateNamespaceRequest
}

// GetConfig tells clients what is served and how long a key may be retried. Those
// that are not told so send no keys.
func (s *server) GetConfig(context.Context, catalog.GetConfigRequestObject) (catalog.GetConfigResponseObject, error) {
	lifetime := runtime.FormatDuration(s.lifetime)
	endpoints := catalog.EndpointsOf(
		catalog.FindOperation("createNamespace"), catalog.FindOperation("loadNamespaceMetadata"),
		catalog.FindOperation("listNamespaces"), catalog.FindOperation("dropNamespace"))
	return catalog.GetConfig200JSONResponse{Body: catalog.CatalogConfig{
		Endpoints: &endpoints, IdempotencyKeyLifetime: &lifetime,
	}}, nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "catalog-server:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	records, err := memory.New(memory.Options{})
	if err != nil {
		return err
	}
	defer records.Close()
	guard, err := runtime.NewGuard(records, runtime.Config{Lifetime: 30 * time.Minute})
	if err != nil {
		return err
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	catalog.Register(e, &server{lifetime: guard.Lifetime(), namespaces: map[string]catalog.CreateNamespaceRequest{}}, guard)

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	httpServer := &http.Server{Handler: e}
	go func() {
		<-ctx.Done()
		httpServer.Shutdown(context.WithoutCancel(ctx))
	}()
	if err := httpServer.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return guard.Close(context.WithoutCancel(ctx))
}
