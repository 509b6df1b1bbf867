package catalog_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// guests have the right to everything.
type guests map[string]bool

func (g guests) Allows(_ context.Context, principal string, _ catalog.Access) (bool, error) {
	return g[principal], nil
}

// hosting serves a catalog to whoever the header X-Who names, keys honoured.
func hosting(t *testing.T, config catalog.Config, mode runtime.Mode, a catalog.Authorizer) http.Handler {
	t.Helper()
	var records store.Store
	records, err := memory.New(memory.Options{})
	if mode == runtime.ModeTransactional {
		config.Tx, config.OnRollback = sqlstore.DB, sqlstore.OnRollback
		if err = sqlstore.Migrate(t.Context(), config.DB); err == nil {
			records, err = sqlstore.New(config.DB, sqlstore.Options{})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.New(config)
	if err != nil {
		t.Fatal(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{
		Mode: mode, Replayer: c, Authorize: c.Authorize(a), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := guard.Close(ctx); err != nil {
			t.Error(err)
		}
		records.Close()
	})
	e := echo.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			c.SetRequest(r.WithContext(runtime.WithPrincipal(r.Context(), r.Header.Get("X-Who"))))
			return next(c)
		}
	})
	generated.Register(e, c, guard)
	return e
}

// Case A2: credentials that were vended to one caller go to no other, however well
// it knows the request and its key. Whoever made it gets fresh ones, for as long
// as it may.
func TestCredentialsOfSomebodyElse(t *testing.T) {
	t.Parallel()
	for _, mode := range []runtime.Mode{runtime.ModeTwoPhase, runtime.ModeTransactional} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			config := complete(t, catalog.Config{Credentials: &vendor{}}, dsns["sqlite"](t))
			allowed := guests{"alice": true, "bob": true}
			h, key := hosting(t, config, mode, allowed), newKey()
			send := func(who, path, body string, headers ...string) *httptest.ResponseRecorder {
				r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("X-Who", who)
				for i := 0; i+1 < len(headers); i += 2 {
					r.Header.Set(headers[i], headers[i+1])
				}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				return w
			}
			create := func(who string) (int, string) {
				w := send(who, "/v1/namespaces/ns/tables", `{"name":"t","schema":`+idSchema+`}`,
					append(key, "X-Iceberg-Access-Delegation", "vended-credentials")...)
				return w.Code, w.Body.String()
			}
			if w := send("alice", "/v1/namespaces", `{"namespace":["ns"]}`); w.Code != 200 {
				t.Fatal(w.Body)
			}
			for _, c := range []struct {
				who    string
				status int
				secret string
			}{
				{"alice", 200, "s3cr3t-1"}, {"bob", 422, ""}, {"carol", 403, ""}, {"alice", 200, "s3cr3t-2"},
			} {
				status, text := create(c.who)
				if status != c.status || !strings.Contains(text, c.secret) || c.secret == "" && strings.Contains(text, "s3cr3t") {
					t.Errorf("%s: %d %s", c.who, status, text)
				}
			}
			allowed["alice"] = false
			if status, text := create("alice"); status != 403 || strings.Contains(text, "s3cr3t") {
				t.Errorf("without a right: %d %s", status, text)
			}
		})
	}
}
