package sqlfault

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"syscall"

	"github.com/go-sql-driver/mysql"
)

// Faults knows the errors of one kind of database by their codes.
type Faults struct {
	// code returns the database's own code of an error, empty when the error did
	// not come from the database.
	code func(error) string

	transient    []string // the statement, or its transaction, was undone and may be tried again
	disconnected []string // the server ended the session
	refusing     []string // the server lets nobody in for now
	full         []string // there is no room on the database's disk
	ambiguous    []string // the server itself does not know whether it committed
	locked       []string // somebody else has the lock that was asked for without waiting
	racing       []string // somebody else created the same thing at the same time
	missingTable []string
	tooLarge     []string // the statement exceeds what the server accepts
	unprepared   []string // prepared statements do not work as they should
}

// Postgres is also CockroachDB's and YugabyteDB's.
var Postgres = &Faults{
	code: postgresCode,
	// serialization_failure, deadlock_detected
	transient: []string{"40001", "40P01"},
	// admin_shutdown, crash_shutdown, connection failures
	disconnected: []string{"57P01", "57P02", "08003", "08006"},
	// cannot_connect_now, too_many_connections
	refusing: []string{"57P03", "53300"},
	// disk_full
	full: []string{"53100"},
	// statement_completion_unknown, transaction_resolution_unknown
	ambiguous: []string{"40003", "08007"},
	// lock_not_available
	locked: []string{"55P03"},
	// unique_violation and duplicate_* in the system's own tables
	racing:       []string{"23505", "42P07", "42710", "40001"},
	missingTable: []string{"42P01"},
	// invalid_sql_statement_name, duplicate_prepared_statement, and what changing
	// the type of a column makes of a statement prepared before
	unprepared: []string{"26000", "42P05", "0A000"},
}

// MySQL is also MariaDB's.
var MySQL = &Faults{
	code: mysqlCode,
	// deadlock, lock wait timeout, record changed since last read (MariaDB)
	transient: []string{"1213", "1205", "1020"},
	// server shutdown, connection killed
	disconnected: []string{"1053", "1927"},
	// too many connections
	refusing: []string{"1040"},
	// disk full, table full
	full: []string{"1021", "1114"},
	// lock wait timeout (MariaDB's answer to NOWAIT), lock not available
	locked: []string{"1205", "3572"},
	// table exists, deadlock, table is being changed
	racing:       []string{"1050", "1213", "1684"},
	missingTable: []string{"1146"},
	tooLarge:     []string{"1153"},
}

// SQLite is read from either driver, with cgo or without.
var SQLite = &Faults{
	code: sqliteCode,
	// SQLITE_BUSY and SQLITE_LOCKED: another process writes
	transient: []string{"5", "6"},
	// SQLITE_FULL
	full:         []string{"13"},
	racing:       []string{"5", "6"},
	missingTable: []string{noSuchTable},
}

// has reports whether the error carries one of the codes.
func (f *Faults) has(err error, codes []string) bool {
	code := f.code(err)
	return code != "" && slices.Contains(codes, code)
}

// IsTransient reports whether the database undid what it was asked and would
// take it again.
func (f *Faults) IsTransient(err error) bool { return f.has(err, f.transient) }

// IsLocked reports whether somebody else has the lock that a statement asked for
// without waiting.
func (f *Faults) IsLocked(err error) bool { return f.has(err, f.locked) }

// IsRacing reports whether a table could not be created because somebody else
// was creating it: IF NOT EXISTS does not keep two from that.
func (f *Faults) IsRacing(err error) bool { return f.has(err, f.racing) }

// IsMissingTable reports whether a table is not there.
func (f *Faults) IsMissingTable(err error) bool { return f.has(err, f.missingTable) }

// IsTooLarge reports whether a statement was larger than the server's
// max_allowed_packet.
func (f *Faults) IsTooLarge(err error) bool {
	return f.has(err, f.tooLarge) || errors.Is(err, mysql.ErrPktTooLarge)
}

// IsUnprepared reports whether a prepared statement was not there, or there
// already, or out of date.
func (f *Faults) IsUnprepared(err error) bool { return f.has(err, f.unprepared) }

// IsLost reports whether an established connection broke, so that nobody knows
// whether the last statement was carried out. A server that refuses to connect
// does not count: trying again at once is no use.
func (f *Faults) IsLost(err error) bool {
	for _, sign := range []error{
		driver.ErrBadConn, mysql.ErrInvalidConn, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE,
	} {
		if errors.Is(err, sign) {
			return true
		}
	}
	return f.has(err, f.disconnected)
}

// IsAway reports whether the database could not be asked, or not to the end: it
// cannot be reached, lets nobody in, has no room left, or the connection broke.
func (f *Faults) IsAway(err error) bool {
	_, network := errors.AsType[*net.OpError](err)
	return network || f.IsLost(err) || f.has(err, f.refusing) || f.has(err, f.full)
}

// IsUndone reports whether a failed commit certainly had no effect: the server
// said so, or it was never sent.
func (f *Faults) IsUndone(err error) bool {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	return f.code(err) != "" && !f.IsLost(err) && !f.has(err, f.ambiguous)
}
