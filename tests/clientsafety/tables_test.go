package clientsafety_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/iceberg-go"
	icebergcatalog "github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// serveTables serves the project's own catalog behind a proxy, whose faults are
// for commits of tables.
func serveTables(t *testing.T, choose func() clienttest.Fault) (url string) {
	t.Helper()
	dir := t.TempDir()
	db, err := sqlstore.OpenDB(t.Context(), "sqlite:"+filepath.Join(dir, "catalog.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := errors.Join(database.Migrate(t.Context(), db), sqlstore.Migrate(t.Context(), db)); err != nil {
		t.Fatal(err)
	}
	records, err := sqlstore.New(db, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	config := runtime.Config{Mode: runtime.ModeTransactional, Logger: quiet, Lifetime: 30 * time.Minute}
	c, err := catalog.New(catalog.Config{
		DB: db, Tx: sqlstore.DB, OnRollback: sqlstore.OnRollback,
		Warehouse: "file:" + dir, KeyLifetime: config.Lifetime, Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	config.Replayer = c
	guard, err := runtime.NewGuard(records, config)
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	generated.Register(e, c, guard)
	server := httptest.NewServer(e)
	proxy, err := clienttest.NewProxy(specwatch.Front(t, server.URL), func(r *http.Request) clienttest.Fault {
		if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/tables/") {
			return choose()
		}
		return clienttest.Fault{}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = proxy.Close()
		server.Close()
		if err := guard.Close(context.Background()); err != nil {
			t.Error(err)
		}
		records.Close()
	})
	return proxy.URL
}

// newTable creates a table through a catalog, and closes that at the test's end.
func newTable(t *testing.T, lake *rest.Catalog) *table.Table {
	t.Helper()
	t.Cleanup(func() { lake.Close() })
	if err := lake.CreateNamespace(t.Context(), table.Identifier{"db"}, nil); err != nil {
		t.Fatal(err)
	}
	schema := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64})
	tbl, err := lake.CreateTable(t.Context(), table.Identifier{"db", "t"}, schema)
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}

// after loses the first commit's answer and does a fault to all later attempts.
func after(fault clienttest.Fault) func() clienttest.Fault {
	var commits atomic.Int32
	return func() clienttest.Fault {
		if commits.Add(1) == 1 {
			return clienttest.Fault{Kind: clienttest.Reset}
		}
		return fault
	}
}

// gateways are answers of an ingress that has no server at the moment, which
// iceberg-go would take for the catalog's: 404 for a table that is gone, 409 for a
// commit to be made again.
func gateways() []clienttest.Fault {
	return []clienttest.Fault{
		{Kind: clienttest.Refuse, Status: 404, Body: "default backend - 404"},
		{Kind: clienttest.Refuse, Status: 400, Body: "<html>"},
		{Kind: clienttest.Refuse, Status: 409},
		{Kind: clienttest.Refuse, Status: 200, Body: "<html>"},
	}
}

// A commit that was applied is never a clean failure to iceberg-go, whatever a
// gateway answers to its next attempts.
func TestCommitThroughAGateway(t *testing.T) {
	t.Parallel()
	for _, gateway := range gateways() {
		t.Run(gateway.String(), func(t *testing.T) {
			t.Parallel()
			url := serveTables(t, after(gateway))
			transport, err := client.NewTransport(client.Options{
				Operations: generated.Operations, Base: &http.Transport{DisableKeepAlives: true}, MinBackoff: time.Millisecond, MaxAttempts: 4,
			})
			if err != nil {
				t.Fatal(err)
			}
			lake, err := rest.NewCatalog(t.Context(), "lake", url, rest.WithCustomTransport(transport))
			if err != nil {
				t.Fatal(err)
			}
			tx := newTable(t, lake).NewTransaction()
			if err := tx.SetProperties(iceberg.Properties{"owner": "ann"}); err != nil {
				t.Fatal(err)
			}
			_, err = tx.Commit(t.Context())
			var unsettled *client.Error
			if !errors.As(err, &unsettled) || !unsettled.StateUnknown || unsettled.Attempts != 4 ||
				errors.Is(err, table.ErrCommitFailed) || errors.Is(err, rest.ErrCommitFailed) || errors.Is(err, icebergcatalog.ErrNoSuchTable) {
				t.Errorf("%v", err)
			}
			current, err := lake.LoadTable(t.Context(), table.Identifier{"db", "t"})
			if err != nil || current.Properties()["owner"] != "ann" {
				t.Errorf("%v: what was lost was not applied", err)
			}
		})
	}
}

// The code that the documentation shows finds out.
func TestExampleFindsOut(t *testing.T) {
	t.Parallel()
	for _, gateway := range gateways() {
		url := serveTables(t, after(gateway))
		lake, err := connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if err := setOwner(t.Context(), lake, newTable(t, lake), "ann"); err != nil {
			t.Errorf("%v: %v", gateway, err)
		}
	}
	url := serveTables(t, func() clienttest.Fault { return gateways()[0] })
	lake, err := connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	if err := setOwner(t.Context(), lake, newTable(t, lake), "ann"); !errors.Is(err, icebergcatalog.ErrNoSuchTable) {
		t.Errorf("a refusal by the first attempt: %v", err)
	}
}
