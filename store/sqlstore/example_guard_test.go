package sqlstore_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/uptrace/bun"

	catalog "github.com/onceberg/onceberg/generated" // yours, in a project of your own
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// openRecords opens a database and brings its table of records up to date, which
// any number of nodes may do at once.
func openRecords(ctx context.Context, dsn string) (*bun.DB, *sqlstore.Store, error) {
	db, err := sqlstore.OpenDB(ctx, dsn, sqlstore.Options{})
	if err != nil {
		return nil, nil, err
	}
	if err := sqlstore.Migrate(ctx, db); err != nil {
		db.Close()
		return nil, nil, err
	}
	records, err := sqlstore.New(db, sqlstore.Options{})
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, records, nil
}

// ledger keeps its namespaces in the database of the records.
type ledger struct {
	catalog.Unimplemented
	db *bun.DB
}

// CreateNamespace writes in the guard's transaction when there is one, and by
// itself for a request without a key.
func (l *ledger) CreateNamespace(ctx context.Context, r catalog.CreateNamespaceRequestObject) (catalog.CreateNamespaceResponseObject, error) {
	name := strings.Join(r.Body.Namespace, ".")
	result, err := sqlstore.DB(ctx, l.db).ExecContext(ctx, "INSERT INTO namespaces (name) VALUES (?) ON CONFLICT DO NOTHING", name)
	if err != nil {
		return nil, fmt.Errorf("create namespace: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil {
		return nil, fmt.Errorf("create namespace: %w", err)
	} else if n == 0 {
		return nil, runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "Namespace already exists: %s", name)
	}
	return catalog.CreateNamespace200JSONResponse{Body: catalog.CreateNamespaceResponse{Namespace: r.Body.Namespace}}, nil
}

// A server's writes and its records share transactions: a crash leaves both or
// none.
func ExampleDB() {
	ctx := context.Background()
	db, records, err := openRecords(ctx, ":memory:")
	if err != nil {
		panic(err)
	}
	defer db.Close()
	defer records.Close()
	if _, err := db.ExecContext(ctx, "CREATE TABLE namespaces (name TEXT PRIMARY KEY)"); err != nil {
		panic(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{Mode: runtime.ModeTransactional})
	if err != nil {
		panic(err)
	}
	defer guard.Close(ctx)
	e := echo.New()
	catalog.Register(e, &ledger{db: db}, guard)

	for _, key := range []string{"01982f4e-79b0-7cc3-98c4-dc0c0c07398f", "01982f4e-79b0-7cc3-98c4-dc0c0c07398f", "01982f4e-79b1-7cc3-98c4-dc0c0c07398f"} {
		r := httptest.NewRequest(http.MethodPost, "/v1/namespaces", strings.NewReader(`{"namespace":["db"]}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		fmt.Println(w.Code, "replayed:", w.Header().Get("Idempotency-Replayed") == "true")
	}
	// Output:
	// 200 replayed: false
	// 200 replayed: true
	// 409 replayed: false
}
