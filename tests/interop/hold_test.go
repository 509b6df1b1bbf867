//go:build interop

package interop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun/driver/pgdriver"
	"github.com/uptrace/bun/driver/sqliteshim"
)

// lockTimeout is how long the server may keep us from locking its database.
const lockTimeout = 15 * time.Second

// holder locks a server's database, so that whoever wants to change the catalog
// hangs until release is called.
type holder func(context.Context) (release func() error, err error)

// holdSQLite takes the one write lock that the database has.
func holdSQLite(file string) holder {
	return func(ctx context.Context) (func() error, error) {
		db, err := sql.Open(sqliteshim.ShimName, "file:"+file+"?_pragma=busy_timeout(10000)")
		if err != nil {
			return nil, err
		}
		return lock(ctx, db, "BEGIN IMMEDIATE")
	}
}

// tablesOfCatalog are all but those of the idempotency records and of migrations:
// a retry must still find out that its first attempt is running.
const tablesOfCatalog = `SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()
	AND tablename NOT LIKE '%idempotency%' AND tablename NOT LIKE '%migration%'`

func holdPostgres(dsn string) holder {
	return func(ctx context.Context) (func() error, error) {
		connector, err := pgdriver.NewDriver().OpenConnector(dsn)
		if err != nil {
			return nil, err
		}
		db := sql.OpenDB(connector)
		tables, err := names(ctx, db)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		return lock(ctx, db, "BEGIN", "LOCK TABLE "+strings.Join(tables, ", ")+" IN ACCESS EXCLUSIVE MODE")
	}
}

func names(ctx context.Context, db *sql.DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, tablesOfCatalog)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, errors.Join(errors.New("the database has no table to lock"), rows.Err())
	}
	return names, rows.Err()
}

// lock runs the statements on a connection of its own, which keeps the lock until
// it is released, and then closes the database.
func lock(ctx context.Context, db *sql.DB, statements ...string) (release func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", statement, err), conn.Close(), db.Close())
		}
	}
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
		defer cancel()
		_, err := conn.ExecContext(ctx, "ROLLBACK")
		return errors.Join(err, conn.Close(), db.Close())
	}, nil
}

// lever lets another process hold the server: POST takes the lock, DELETE
// releases it.
type lever struct {
	hold    holder
	mu      sync.Mutex
	release func() error
}

// serve offers the lever on a URL until the test ends, and releases it then.
func (l *lever) serve(t *testing.T) string {
	s := httptest.NewServer(l)
	t.Cleanup(func() {
		s.Close()
		if err := l.let(); err != nil {
			t.Error(err)
		}
	})
	return s.URL
}

// ServeHTTP implements http.Handler.
func (l *lever) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var err error
	switch r.Method {
	case http.MethodPost:
		err = l.take(r.Context())
	case http.MethodDelete:
		err = l.let()
	default:
		err = fmt.Errorf("%s means nothing here", r.Method)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (l *lever) take(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.release != nil {
		return errors.New("held already")
	}
	var err error
	l.release, err = l.hold(ctx)
	return err
}

func (l *lever) let() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.release == nil {
		return nil
	}
	release := l.release
	l.release = nil
	return release()
}
