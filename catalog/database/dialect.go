package database

import (
	"fmt"

	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// dialect is all in which the databases differ here.
type dialect struct {
	// forUpdate and forShare end a query that locks the rows it reads.
	forUpdate, forShare string
	// faults reads the database's errors.
	faults *sqlfault.Faults
}

var dialects = map[bundialect.Name]*dialect{
	bundialect.PG: {forUpdate: " FOR UPDATE", forShare: " FOR SHARE", faults: sqlfault.Postgres},
	// MariaDB does not know FOR SHARE.
	bundialect.MySQL:  {forUpdate: " FOR UPDATE", forShare: " LOCK IN SHARE MODE", faults: sqlfault.MySQL},
	bundialect.SQLite: {faults: sqlfault.SQLite},
}

func dialectOf(db *bun.DB) (*dialect, error) {
	name := db.Dialect().Name()
	if d, ok := dialects[name]; ok {
		return d, nil
	}
	return nil, fmt.Errorf("catalog: no support for %s: PostgreSQL, MySQL, MariaDB and SQLite are supported", name)
}
