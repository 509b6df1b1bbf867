package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
)

// Timeouts of a connection, where the DSN does not say otherwise. They end what
// no context ends: a commit or a rollback whose server has gone silent.
const (
	dialTimeout  = 5 * time.Second
	readTimeout  = 30 * time.Second
	writeTimeout = 30 * time.Second
)

// Connections are replaced after a while, so that a pool follows a database that
// has moved to another machine, and closed when they are idle for long.
const (
	connectionLifetime = 30 * time.Minute
	connectionIdleTime = 5 * time.Minute
)

// OpenDB connects to the database of a DSN and makes sure that it answers. What
// the store relies on, timeouts and isolation and more, is set on every
// connection. The DSN is one of
//
//	postgres://user:password@host:5432/database?sslmode=verify-full
//	mysql://user:password@host:3306/database
//	user:password@tcp(host:3306)/database     (as go-sql-driver/mysql has it)
//	sqlite:/var/lib/catalog.db                (a path, with ?options as in a URI)
//	file:catalog.db                           (a URI filename of SQLite)
//	:memory:
//
// with the parameters of pgdriver, go-sql-driver/mysql and SQLite respectively.
// Passwords within a URL are percent-encoded. No error contains more of the DSN
// than the path of a SQLite file; that it is none is a [DSNError].
func OpenDB(ctx context.Context, dsn string, options Options) (*bun.DB, error) {
	options = options.withDefaults()
	var db *bun.DB
	kind, err := DatabaseOf(dsn)
	switch {
	case err != nil:
	case kind == postgresDialect.name:
		db, err = openPostgres(ctx, dsn, options)
	case kind == sqliteDialect.name:
		db, err = openSQLite(ctx, dsn, options)
	default:
		db, err = openMySQL(ctx, dsn, options)
	}
	if err != nil {
		return nil, fmt.Errorf("sqlstore: open: %w", err)
	}
	return db, nil
}

// DatabaseOf returns the kind of database that [OpenDB] takes a DSN for, by its
// name for [PrintMigrations]. It connects nowhere, and looks at no more of the DSN
// than that takes. That it is of no kind, or names no file, is a [DSNError].
func DatabaseOf(dsn string) (string, error) {
	switch scheme, rest, _ := strings.Cut(dsn, ":"); {
	case scheme == "postgres" || scheme == "postgresql":
		return postgresDialect.name, nil
	case dsn == memoryDSN:
		return sqliteDialect.name, nil
	case scheme == "sqlite" || scheme == "file":
		if path, _, _ := strings.Cut(rest, "?"); path == "" {
			return "", errNoFile
		}
		return sqliteDialect.name, nil
	case scheme == "mysql" || scheme == "mariadb" || isMySQLForm(dsn):
		return mysqlDialect.name, nil
	}
	return "", &DSNError{"the DSN has none of the known forms: postgres://, mysql://, user:password@tcp(host:port)/database, sqlite:, file:, :memory: as a whole"}
}

// isMySQLForm recognizes the DSN of go-sql-driver/mysql, which has no scheme.
func isMySQLForm(dsn string) bool {
	if !strings.ContainsAny(dsn, "@(") {
		return false
	}
	_, err := mysql.ParseDSN(dsn)
	return err == nil
}

// DSNError is the error about a DSN that is none, whatever the database says.
type DSNError struct{ text string }

// Error says what is wrong, and nothing of the DSN.
func (e *DSNError) Error() string { return e.text }

var errNoFile = &DSNError{"the SQLite DSN names no file"}

// errBadDSN is all that is said about a DSN that does not parse: a parser's own
// error quotes it, with the password.
func errBadDSN(kind string) error {
	return &DSNError{"the " + kind + " DSN cannot be parsed; are special characters in the password percent-encoded?"}
}

// limit sets the size of a pool.
func limit(db *bun.DB, options Options) {
	db.SetMaxOpenConns(options.MaxPoolSize)
	db.SetMaxIdleConns(options.MaxPoolSize)
	db.SetConnMaxLifetime(connectionLifetime)
	db.SetConnMaxIdleTime(connectionIdleTime)
}

// answering closes a database again that does not answer.
func answering(ctx context.Context, db *bun.DB) (*bun.DB, error) {
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}
