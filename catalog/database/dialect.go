package database

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/driver/pgdriver"
)

// dialect is all in which the databases differ here.
type dialect struct {
	// name is the folder of its migrations.
	name string
	// forUpdate and forShare end a query that locks the rows it reads.
	forUpdate, forShare string
	// code returns the database's own code of an error, empty for other errors.
	code func(error) string
	// transient are the codes of errors after which the transaction was undone
	// and may be tried again.
	transient []string
	// racing are those of nodes that create the same table at once.
	racing []string
	// missingTable are those of a table that is not there.
	missingTable []string
}

var dialects = map[bundialect.Name]*dialect{
	bundialect.PG: {
		name: "postgres", forUpdate: " FOR UPDATE", forShare: " FOR SHARE", code: postgresCode,
		// serialization_failure, deadlock_detected
		transient: []string{"40001", "40P01"},
		// unique_violation and duplicate_* in the system's own tables
		racing:       []string{"23505", "42P07", "42710", "40001"},
		missingTable: []string{"42P01"},
	},
	bundialect.MySQL: {
		// MariaDB does not know FOR SHARE.
		name: "mysql", forUpdate: " FOR UPDATE", forShare: " LOCK IN SHARE MODE", code: mysqlCode,
		// deadlock, lock wait timeout, record changed since last read (MariaDB)
		transient:    []string{"1213", "1205", "1020"},
		racing:       []string{"1050", "1213", "1684"},
		missingTable: []string{"1146"},
	},
	bundialect.SQLite: {
		name: "sqlite", code: sqliteCode,
		// SQLITE_BUSY and SQLITE_LOCKED: another process writes
		transient:    []string{"5", "6"},
		racing:       []string{"5", "6"},
		missingTable: []string{noSuchTable},
	},
}

func dialectOf(db *bun.DB) (*dialect, error) {
	name := db.Dialect().Name()
	if d, ok := dialects[name]; ok {
		return d, nil
	}
	return nil, fmt.Errorf("catalog: no support for %s: PostgreSQL, MySQL, MariaDB and SQLite are supported", name)
}

// is reports whether an error has one of the codes.
func (d *dialect) is(err error, codes []string) bool {
	code := d.code(err)
	return code != "" && slices.Contains(codes, code)
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

// sqliteCode reads the primary result code.
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
	return ""
}
