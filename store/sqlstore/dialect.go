package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// dialect is everything in which the databases differ, once a connection is
// there: how they are opened is in the files connect_*.go.
type dialect struct {
	// name is what Options and logs call it.
	name string

	// now is the database's clock in milliseconds since 1970, whatever the
	// session's time zone. It keeps running within a transaction.
	now string

	// insert writes an entry if its key has no row, replace also if the row that
	// it has must give way.
	insert, replace putting

	// faults reads the database's errors.
	faults *sqlfault.Faults
}

// postgresNow avoids extract, whose numeric costs more than it is worth here.
const postgresNow = `CAST(date_part('epoch', clock_timestamp()) * 1000 AS BIGINT)`

var postgresDialect = &dialect{
	name:    "postgres",
	now:     postgresNow,
	insert:  putting{onConflictNothing, byRowsAffected},
	replace: putting{onConflictReplace, byReturning},
	faults:  sqlfault.Postgres,
}

var mysqlDialect = &dialect{
	name: "mysql",
	// UNIX_TIMESTAMP would go through the session's time zone and be an hour
	// off when summer time ends.
	now:     `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)`,
	insert:  putting{onDuplicateNothing, byInsertID},
	replace: putting{onDuplicateReplace, byInsertID},
	faults:  sqlfault.MySQL,
}

var sqliteDialect = &dialect{
	name: "sqlite",
	// 'now' is one instant within a statement; %f is seconds with milliseconds.
	now: `(CAST(strftime('%s', 'now') AS INTEGER) * 1000
		+ CAST(substr(strftime('%f', 'now'), 4) AS INTEGER))`,
	insert:  putting{onConflictNothing, byRowsAffected},
	replace: putting{onConflictReplace, byReturning},
	faults:  sqlfault.SQLite,
}

// dialectOf finds the dialect of an open database.
func dialectOf(db *bun.DB) (*dialect, error) {
	switch name := db.Dialect().Name(); name {
	case bundialect.PG:
		return postgresDialect, nil
	case bundialect.MySQL:
		return mysqlDialect, nil
	case bundialect.SQLite:
		return sqliteDialect, nil
	default:
		return nil, fmt.Errorf("sqlstore: no support for %s: PostgreSQL, MySQL, MariaDB and SQLite are supported", name)
	}
}

// The put statements where the database has ON CONFLICT and RETURNING. The old
// row is measured against the new one's created_at, which is one instant for the
// whole statement. A row comes back when it gave way, and an attempt beyond the
// first means that a reservation was taken over.
var (
	onConflictNothing = prepared("insert", `INSERT INTO `+table+insertion+`
	ON CONFLICT (idempotency_key) DO NOTHING`)

	onConflictReplace = &statement{text: `INSERT INTO ` + table + ` AS r` + insertion + `
	ON CONFLICT (idempotency_key) DO UPDATE SET
	owner = EXCLUDED.owner,
	attempt = CASE WHEN r.expires_at <= EXCLUDED.created_at THEN 1 ELSE r.attempt + 1 END,
	created_at = CASE WHEN r.expires_at <= EXCLUDED.created_at THEN EXCLUDED.created_at ELSE r.created_at END,
	` + each("$ = EXCLUDED.$") + `
	WHERE r.expires_at <= EXCLUDED.created_at
	OR (r.http_status IS NULL AND r.lease_expires_at <= EXCLUDED.created_at AND NOT ?yields
		AND r.principal_hash = EXCLUDED.principal_hash AND r.request_hash = EXCLUDED.request_hash)
	RETURNING attempt`}
)

// The put statements on MySQL and MariaDB, of which only the latter has RETURNING.
// They report what they did as the statement's insert id: 0 for an insert,
// otherwise duplicateHeld or a number after it. Rows affected would depend on
// the DSN.
var onDuplicateNothing = &statement{text: `INSERT INTO ` + table + insertion + `
	ON DUPLICATE KEY UPDATE owner = IF(LAST_INSERT_ID(1), owner, owner)`}

// Assignments run from left to right and see those before them. The first decides.
// The rest follow it by looking at the owner: the token is new to the row, since
// nobody replaces a row that it holds itself. expires_at, on which two of them
// depend, is assigned last.
var onDuplicateReplace = &statement{text: `INSERT INTO ` + table + insertion + `
	ON DUPLICATE KEY UPDATE
	owner = CASE LAST_INSERT_ID(CASE
		WHEN expires_at <= VALUES(created_at) THEN 2
		WHEN http_status IS NULL AND lease_expires_at <= VALUES(created_at) AND NOT ?yields
			AND principal_hash = VALUES(principal_hash) AND request_hash = VALUES(request_hash) THEN 3
		ELSE 1 END) WHEN 1 THEN owner ELSE VALUES(owner) END,
	attempt = IF(owner <> VALUES(owner), attempt, IF(expires_at <= VALUES(created_at), 1, attempt + 1)),
	created_at = IF(owner = VALUES(owner) AND expires_at <= VALUES(created_at), VALUES(created_at), created_at),
	` + each("$ = IF(owner = VALUES(owner), VALUES($), $)")}

// The insert ids that the statements report.
const (
	duplicateNone = iota
	duplicateHeld
	duplicateExpired
	duplicateAbandoned
)

// putting is a put statement and the way to run it that tells what became of it.
type putting struct {
	statement *statement
	run       func(context.Context, *bun.RawQuery) (verdict, error)
}

// byRowsAffected tells whether a row was inserted.
func byRowsAffected(ctx context.Context, q *bun.RawQuery) (verdict, error) {
	result, err := q.Exec(ctx)
	if err != nil {
		return held, err
	}
	n, err := result.RowsAffected()
	if err != nil || n == 0 {
		return held, err
	}
	return acquired, nil
}

// byReturning goes by the attempt that comes back; nothing does when the key is
// held.
func byReturning(ctx context.Context, q *bun.RawQuery) (verdict, error) {
	var attempt int64
	err := q.Scan(ctx, &attempt)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return held, nil
	case err != nil:
		return held, err
	case attempt > 1:
		return takenOver, nil
	}
	return acquired, nil
}

// byInsertID goes by what the statement reports.
func byInsertID(ctx context.Context, q *bun.RawQuery) (verdict, error) {
	result, err := q.Exec(ctx)
	if err != nil {
		return held, err
	}
	id, err := result.LastInsertId()
	switch {
	case err != nil:
		return held, err
	case id == duplicateHeld:
		return held, nil
	case id == duplicateAbandoned:
		return takenOver, nil
	}
	return acquired, nil
}
