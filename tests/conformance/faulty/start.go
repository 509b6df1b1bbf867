package faulty

import (
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
	"github.com/onceberg/onceberg/store/sqlstore"
)

// Token and OtherToken are the bearer tokens of two principals.
const (
	Token      = "token-of-alice"
	OtherToken = "token-of-bob"
)

// Start serves a faulty server until the test ends, and returns its URL. Without
// a fault, the honest one.
func Start(tb testing.TB, fault *Fault) string {
	tb.Helper()
	s := honest()
	if fault != nil {
		fault.install(s)
	}
	g := &guard{steps: s.steps, catalog: s.inside(newCatalog(tb)), records: map[string]*record{}}
	listener := httptest.NewServer(s.outside(g))
	tb.Cleanup(listener.Close)
	return listener.URL
}

// newCatalog is a catalog that knows nothing of keys but their lifetime.
func newCatalog(tb testing.TB) http.Handler {
	tb.Helper()
	// Nobody cuts the power here, and flushing every commit would take most of the time.
	dsn := "sqlite:" + filepath.Join(tb.TempDir(), "catalog.db") + "?_pragma=synchronous(off)"
	db, err := sqlstore.OpenDB(tb.Context(), dsn, sqlstore.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	if err := database.Migrate(tb.Context(), db); err != nil {
		tb.Fatal(err)
	}
	c, err := catalog.New(catalog.Config{
		DB: db, Warehouse: "file:" + tb.TempDir(), KeyLifetime: 30 * time.Minute,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		tb.Fatal(err)
	}
	e := echo.New()
	generated.Register(e, c, nil)
	return e
}
