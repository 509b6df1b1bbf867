package conformance_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/sqlstore"
	"github.com/onceberg/onceberg/tests/conformance"
)

// The tokens of two people who may do everything.
const (
	alice = "token-of-alice"
	bob   = "token-of-bob"
)

// serve serves this project's own catalog on SQLite, behind bearer tokens. A change
// to the guard's configuration makes it another server.
func serve(t testing.TB, changes ...func(*runtime.Config)) (url, warehouse string) {
	t.Helper()
	warehouse = t.TempDir()
	// Nobody cuts the power here, and flushing every commit would take most of the time.
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") + "?_pragma=synchronous(off)"
	db, err := sqlstore.OpenDB(t.Context(), dsn, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := database.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := sqlstore.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	config := runtime.Config{Mode: runtime.ModeTransactional, Logger: quiet, Lifetime: 30 * time.Minute}
	for _, change := range changes {
		change(&config)
	}
	c, err := catalog.New(catalog.Config{
		DB: db, Tx: sqlstore.DB, OnRollback: sqlstore.OnRollback,
		Warehouse: "file:" + warehouse, KeyLifetime: config.Lifetime, Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	records, err := sqlstore.New(db, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	config.Replayer = c
	guard, err := runtime.NewGuard(records, config)
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	e.Use(login)
	generated.Register(e, unhurried{c}, guard)
	server := httptest.NewServer(e)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx)
	}()
	t.Cleanup(func() {
		server.Close()
		cancel()
		<-done
		if err := guard.Close(context.Background()); err != nil {
			t.Error(err)
		}
		records.Close()
	})
	return server.URL, warehouse
}

// unhurried takes its time for a commit, so that twins meet the first one running.
type unhurried struct{ *catalog.Catalog }

// UpdateTable implements generated.StrictServerInterface.
func (u unhurried) UpdateTable(ctx context.Context, r generated.UpdateTableRequestObject) (generated.UpdateTableResponseObject, error) {
	timer := time.NewTimer(20 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return u.Catalog.UpdateTable(ctx, r)
}

// login knows alice and bob by their tokens.
func login(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		switch token := r.Header.Get("Authorization"); token {
		case "Bearer " + alice, "Bearer " + bob:
			c.SetRequest(r.WithContext(runtime.WithPrincipal(r.Context(), token)))
			return next(c)
		}
		return c.JSON(http.StatusUnauthorized, map[string]any{
			"error": map[string]any{"message": "Who is it?", "type": "NotAuthorizedException", "code": http.StatusUnauthorized},
		})
	}
}

// The kit finds nothing to complain of in this project's own server.
func TestOwnServer(t *testing.T) {
	t.Parallel()
	url, _ := serve(t)
	conformance.Test(t, conformance.Target{URL: url, Token: alice, SecondToken: bob})
}
