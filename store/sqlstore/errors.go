package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/onceberg/onceberg/store"
)

// ErrNotMigrated means that the database lacks the table, or that migrations of
// this release have not been applied to it; [Migrate] does that.
var ErrNotMigrated = errors.New("sqlstore: the database has not been migrated")

// wrap is the one place where errors of the database become errors of the store.
// The context's error wins over whatever its end did to the connection.
func (s *Store) wrap(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	if s.closed.Load() {
		return store.ErrClosed
	}
	if errors.Is(err, store.ErrCorrupt) {
		s.logger.ErrorContext(ctx, "a stored idempotency record cannot be read", "error", err)
	}
	if s.dialect.missingTable.has(s.dialect, err) {
		err = fmt.Errorf("%w: %w", ErrNotMigrated, err)
	}
	if s.dialect.tooLarge.has(s.dialect, err) || errors.Is(err, mysql.ErrPktTooLarge) {
		err = fmt.Errorf("the server's max_allowed_packet is too small for this record: %w", err)
	}
	if done := ctx.Err(); done != nil && !errors.Is(err, done) {
		err = fmt.Errorf("%w: %w", done, err)
	}
	return fmt.Errorf("sqlstore: %s: %w", operation, err)
}

// isTransient reports whether the database undid what it was asked and would
// take it again.
func (d *dialect) isTransient(err error) bool { return d.transient.has(d, err) }

// isTransient is the dialect's, and true also when a prepared statement is not
// there: the store then does without them from now on. That happens on a
// database that was not opened by OpenDB, and behind a pooler that changes the
// server's session under a connection.
func (s *Store) isTransient(err error) bool {
	if s.dialect.unprepared.has(s.dialect, err) {
		if s.prepared.Swap(false) {
			s.logger.Info("prepared statements do not survive on this database; doing without", "error", err)
		}
		return true
	}
	return s.dialect.isTransient(err)
}

// isLost reports whether an established connection broke, so that nobody knows
// whether the last statement was carried out. A server that refuses to connect
// does not count: trying again at once is no use.
func (d *dialect) isLost(err error) bool {
	for _, sign := range []error{
		driver.ErrBadConn, mysql.ErrInvalidConn, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE,
	} {
		if errors.Is(err, sign) {
			return true
		}
	}
	return d.disconnected.has(d, err)
}

// isUndone reports whether a failed commit certainly had no effect: the server
// said so, or it was never sent.
func (d *dialect) isUndone(err error) bool {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	return d.code(err) != "" && !d.isLost(err) && !d.ambiguous.has(d, err)
}

func postgresCode(err error) string {
	if e, ok := errors.AsType[pgdriver.Error](err); ok {
		return e.Field('C')
	}
	return ""
}

func mysqlCode(err error) string {
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return strconv.Itoa(int(e.Number))
	}
	return ""
}

// noSuchTable stands for the one error of SQLite that has no code of its own.
const noSuchTable = "no such table"

// sqliteCode reads the primary result code: the modernc driver has it as a
// method, the cgo driver as a field that only its text shows.
func sqliteCode(err error) string {
	if err == nil {
		return ""
	}
	if strings.Contains(err.Error(), noSuchTable) {
		return noSuchTable
	}
	if e, ok := errors.AsType[interface {
		error
		Code() int
	}](err); ok {
		return strconv.Itoa(e.Code() & 0xff)
	}
	if strings.HasPrefix(err.Error(), "database is locked") {
		return "5"
	}
	if strings.HasPrefix(err.Error(), "database table is locked") {
		return "6"
	}
	return ""
}
