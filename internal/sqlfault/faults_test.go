package sqlfault_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/driver/pgdriver"
	"github.com/uptrace/bun/driver/sqliteshim"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/sqlfault"
	"github.com/onceberg/onceberg/internal/testdb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testdb.Main(m)) }

// what says all that the package has to say about an error, wrapped as it comes
// out of the layers above.
func what(f *sqlfault.Faults, err error) string {
	if err != nil {
		err = fmt.Errorf("commit: %w", err)
	}
	var is []string
	for name, holds := range map[string]bool{
		"transient": f.IsTransient(err), "locked": f.IsLocked(err), "racing": f.IsRacing(err),
		"missing": f.IsMissingTable(err), "large": f.IsTooLarge(err), "unprepared": f.IsUnprepared(err),
		"lost": f.IsLost(err), "undone": f.IsUndone(err), "away": f.IsAway(err),
	} {
		if holds {
			is = append(is, name)
		}
	}
	slices.Sort(is)
	return strings.Join(is, " ")
}

// PostgreSQL raises each code itself, so that it comes as the driver brings it.
func TestPostgres(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(testdb.Postgres(t).Database(t))))
	t.Cleanup(func() { db.Close() })
	for code, want := range map[string]string{
		"40001": "racing transient undone",
		"40P01": "transient undone",
		"57P01": "away lost",
		"57P02": "away lost",
		"08003": "away lost",
		"08006": "away lost",
		"40003": "",
		"08007": "",
		"55P03": "locked undone",
		"23505": "racing undone",
		"42P07": "racing undone",
		"42710": "racing undone",
		"42P01": "missing undone",
		"26000": "undone unprepared",
		"42P05": "undone unprepared",
		"0A000": "undone unprepared",
		"22012": "undone",
		"53100": "away undone",
		"57P03": "away undone",
	} {
		_, err := db.ExecContext(t.Context(), "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '"+code+"'; END $$")
		if err == nil {
			t.Fatalf("%s was not raised", code)
		}
		if got := what(sqlfault.Postgres, err); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestMySQL(t *testing.T) {
	t.Parallel()
	for number, want := range map[uint16]string{
		1213: "racing transient undone",
		1205: "locked transient undone",
		1020: "transient undone",
		1053: "away lost",
		1927: "away lost",
		3572: "locked undone",
		1050: "racing undone",
		1684: "racing undone",
		1146: "missing undone",
		1153: "large undone",
		1062: "undone",
		1021: "away undone",
		1114: "away undone",
		1040: "away undone",
	} {
		if got := what(sqlfault.MySQL, &mysql.MySQLError{Number: number}); got != want {
			t.Errorf("%d: %q, want %q", number, got, want)
		}
	}
	if got := what(sqlfault.MySQL, mysql.ErrPktTooLarge); got != "large" {
		t.Errorf("a packet that the driver does not send: %q", got)
	}
}

// coded is an error as the modernc driver has it.
type coded int

func (coded) Error() string { return "database error" }
func (c coded) Code() int   { return int(c) }

func TestSQLite(t *testing.T) {
	t.Parallel()
	db, err := sql.Open(sqliteshim.ShimName, ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1) // each would have a database of its own
	_, missing := db.ExecContext(t.Context(), "DELETE FROM nowhere")
	_, full := db.ExecContext(t.Context(), "PRAGMA max_page_count = 2; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000))")
	for _, test := range []struct {
		err  error
		want string
	}{
		{missing, "missing undone"},
		{full, "away undone"},
		{coded(5), "racing transient undone"},
		{coded(5 | 2<<8), "racing transient undone"}, // SQLITE_BUSY_SNAPSHOT
		{coded(6), "racing transient undone"},
		{coded(19), "undone"},
		{errors.New("near \"SELEC\": syntax error"), ""},
	} {
		if got := what(sqlfault.SQLite, test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
	for _, text := range []string{"database is locked", "database table is locked: t"} { // as the cgo driver says it
		if !sqlfault.SQLite.IsTransient(errors.New(text)) {
			t.Errorf("%q is not transient", text)
		}
	}
}

// What no database says means the same on all of them.
func TestErrorsBesideTheDatabase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("the backend's own"), ""},
		{driver.ErrBadConn, "away lost"},
		{mysql.ErrInvalidConn, "away lost"},
		{io.EOF, "away lost"},
		{io.ErrUnexpectedEOF, "away lost"},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "away lost"},
		{&net.OpError{Op: "write", Err: syscall.EPIPE}, "away lost"},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "away"},
		{sql.ErrTxDone, "undone"},
		{context.Canceled, "undone"},
		{context.DeadlineExceeded, "undone"},
	} {
		for name, f := range map[string]*sqlfault.Faults{
			"postgres": sqlfault.Postgres, "mysql": sqlfault.MySQL, "sqlite": sqlfault.SQLite,
		} {
			if got := what(f, test.err); got != test.want {
				t.Errorf("%s: %v: %q, want %q", name, test.err, got, test.want)
			}
		}
	}
}

func TestPause(t *testing.T) {
	t.Parallel()
	if !sqlfault.Pause(t.Context(), 1) {
		t.Error("the pause was cut short")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for try := range 100 { // by chance a pause may be over at once
		if !sqlfault.Pause(ctx, try) {
			return
		}
	}
	t.Error("the context's end ends no pause")
}
