package sqlfault

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun/driver/pgdriver"
)

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
