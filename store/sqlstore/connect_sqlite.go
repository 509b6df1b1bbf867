package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/driver/sqliteshim"
)

// memoryDSN is a database that lives and dies with its connection.
const memoryDSN = ":memory:"

// cgoDriver is what mattn/go-sqlite3 calls itself, which bun takes where
// modernc.org/sqlite does not build, or by the build tag cgosqlite.
const cgoDriver = "sqlite3"

// openSQLite opens one connection for all that writes, so that writers queue for
// it, within this process in order and without polling the file; and a pool of
// others for reads, which WAL mode lets run beside a writer.
func openSQLite(ctx context.Context, dsn string, options Options) (*bun.DB, error) {
	if options.User != "" || options.Password != "" {
		return nil, errors.New("SQLite has no user and no password")
	}
	driver := sqliteshim.DriverName()
	name, err := sqliteName(dsn, driver, writing)
	if err != nil {
		return nil, err
	}
	writer, err := sql.Open(sqliteshim.ShimName, name)
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	if isInMemory(dsn) {
		return answering(ctx, bun.NewDB(writer, sqlitedialect.New()))
	}
	if err := writer.PingContext(ctx); err != nil { // creates the file, and WAL mode with it
		writer.Close()
		path, _, _ := strings.Cut(dsn, "?")
		return nil, fmt.Errorf("%s: %w", path[strings.Index(path, ":")+1:], err) // SQLite does not say which file
	}
	name, err = sqliteName(dsn, driver, reading)
	if err != nil {
		writer.Close()
		return nil, err
	}
	reader, err := sql.Open(sqliteshim.ShimName, name)
	if err != nil {
		writer.Close()
		return nil, err
	}
	reader.SetMaxOpenConns(options.MaxPoolSize)
	reader.SetMaxIdleConns(options.MaxPoolSize)
	return bun.NewDB(writer, sqlitedialect.New(), bun.WithConnResolver(readers{reader})), nil
}

func isInMemory(dsn string) bool {
	return strings.Contains(dsn, memoryDSN) || strings.Contains(dsn, "mode=memory")
}

// readers sends to the readers what is certainly a read: bun's select queries
// outside of a transaction, and raw ones that say so in their context.
type readers struct {
	*sql.DB
}

var _ bun.ConnResolver = readers{}

// ResolveConn picks the connection for a query; nil is the writer's.
func (r readers) ResolveConn(ctx context.Context, query bun.Query) bun.IConn {
	if _, ok := query.(*bun.SelectQuery); ok || ctx.Value(readOnlyKey{}) != nil {
		return r.DB
	}
	return nil
}

type readOnlyKey struct{}

// readOnly marks the context of a raw query that only reads.
func readOnly(ctx context.Context) context.Context {
	return context.WithValue(ctx, readOnlyKey{}, true)
}

// The two uses of a connection to SQLite.
type access bool

const (
	writing access = true
	reading access = false
)

// sqliteName is the name that the driver opens: a URI with what every connection
// needs. A transaction begins by becoming the writer, because one that reads
// first and wants to write then fails at once when another has written.
func sqliteName(dsn, driver string, access access) (string, error) {
	path, query, _ := strings.Cut(dsn, "?")
	if dsn == memoryDSN {
		path = "file:" + memoryDSN
	}
	if rest, ok := strings.CutPrefix(path, "sqlite:"); ok {
		path = "file:" + rest
	}
	if strings.TrimPrefix(path, "file:") == "" {
		return "", errNoFile
	}
	params, err := url.ParseQuery(query)
	if err != nil {
		return "", errBadDSN("SQLite")
	}
	addPragmas(params, driver, access)
	if access == writing {
		params.Set("_txlock", "immediate")
	}
	return path + "?" + params.Encode(), nil
}

// addPragmas adds those that the DSN leaves open. A commit is on disk before it
// returns (synchronous=FULL); waiting for another process that writes is in
// short turns, so that a caller who leaves is noticed between them. The two
// drivers spell pragmas differently.
func addPragmas(params url.Values, driver string, access access) {
	pragmas := [][2]string{{"busy_timeout", "1000"}, {"journal_mode", "WAL"}, {"synchronous", "FULL"}}
	if access == reading {
		pragmas = [][2]string{{"busy_timeout", "1000"}, {"query_only", "1"}}
	}
	for _, pragma := range pragmas {
		name, value := pragma[0], pragma[1]
		switch {
		case driver == cgoDriver && !params.Has("_"+name):
			params.Set("_"+name, value)
		case driver != cgoDriver && !slices.ContainsFunc(params["_pragma"], func(given string) bool {
			return strings.HasPrefix(strings.ToLower(strings.TrimSpace(given)), name)
		}):
			params.Add("_pragma", name+"("+value+")")
		}
	}
}
