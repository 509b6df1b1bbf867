package catalog_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"github.com/uptrace/bun"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testdb.Main(m)) }

// dsns give a fresh database of each kind.
var dsns = map[string]func(testing.TB) string{
	"sqlite":   func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") },
	"postgres": func(t testing.TB) string { return testdb.Postgres(t).Database(t) },
	"mariadb":  func(t testing.TB) string { return testdb.MariaDB(t).Database(t) },
}

// complete gives a configuration what it needs: a migrated database and a
// warehouse folder.
func complete(t testing.TB, config catalog.Config, dsn string) catalog.Config {
	t.Helper()
	db, err := sqlstore.OpenDB(t.Context(), dsn, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := database.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	config.DB = db
	if config.Warehouse == "" {
		config.Warehouse = "file:" + t.TempDir()
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	return config
}

// serve serves a catalog on SQLite, without keys.
func serve(t testing.TB, config catalog.Config) server {
	t.Helper()
	return listen(t, complete(t, config, dsns["sqlite"](t)), "")
}

// listen serves a catalog behind a guard of a mode; the empty one is none. Its
// files are deleted in the background.
func listen(t testing.TB, config catalog.Config, mode runtime.Mode) server {
	t.Helper()
	if mode == runtime.ModeTransactional {
		config.Tx, config.OnRollback = sqlstore.DB, sqlstore.OnRollback
	}
	c, err := catalog.New(config)
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	generated.Register(e, c, newGuard(t, c, config.DB, mode))
	s := httptest.NewServer(e)
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx)
	}()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
		cancel()
		<-done
	})
	return server{
		fatal: t, url: s.URL, client: &http.Client{Transport: watch(t, transport), Timeout: patience},
		warehouse: config.Warehouse, db: config.DB, keyed: mode != "",
		transactional: mode == runtime.ModeTransactional,
	}
}

// watch holds a test's exchanges against the specification.
func watch(t testing.TB, transport http.RoundTripper) http.RoundTripper {
	if _, benchmark := t.(*testing.B); benchmark {
		return transport
	}
	return specwatch.Transport(t, transport)
}

// patience bounds what the tests wait for, on the busiest machine.
const patience = 5 * time.Minute

func newGuard(t testing.TB, replayer runtime.Replayer, db *bun.DB, mode runtime.Mode) *runtime.Guard {
	t.Helper()
	var records store.Store
	var err error
	switch mode {
	case runtime.ModeTransactional:
		if err = sqlstore.Migrate(t.Context(), db); err == nil {
			records, err = sqlstore.New(db, sqlstore.Options{})
		}
	case runtime.ModeTwoPhase:
		records, err = memory.New(memory.Options{})
	default:
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{
		Mode: mode, ReadOnly: catalog.ReadOnly(), Replayer: replayer, Logger: slog.New(slog.DiscardHandler),
		WaitTimeout: patience, ExecutionTimeout: patience,
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
	return guard
}

// newKey is the header of a fresh key.
func newKey() []string { return []string{"Idempotency-Key", uuid.Must(uuid.NewV7()).String()} }

// modes are the ways in which a request can be executed.
var modes = []runtime.Mode{"", runtime.ModeTwoPhase, runtime.ModeTransactional}

// everywhere runs a test on each database in each mode.
func everywhere(t *testing.T, test func(t *testing.T, s server)) {
	t.Parallel()
	for name, dsn := range dsns {
		for _, mode := range modes {
			label := string(mode)
			if label == "" {
				label = "no-keys"
			}
			t.Run(name+"/"+label, func(t *testing.T) {
				t.Parallel()
				test(t, listen(t, complete(t, catalog.Config{}, dsn(t)), mode))
			})
		}
	}
}
