package migration

import (
	"fmt"

	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// dialect is all in which the databases differ here, their bookkeeping aside.
type dialect struct {
	// name is what Print calls it, and the folder of its migrations.
	name string

	// rowLocks tells whether the database locks single rows. Where it does not, a
	// migration's own transaction excludes every other.
	rowLocks bool

	// mark notes a migration as applied, if it is not yet: in which table, and
	// under which name.
	mark string

	// faults reads the database's errors.
	faults *sqlfault.Faults
}

var dialects = map[bundialect.Name]*dialect{
	bundialect.PG: {
		name:     "postgres",
		rowLocks: true,
		mark:     `INSERT INTO %s (name, group_id) VALUES ('%s', 1) ON CONFLICT (name) DO NOTHING`,
		faults:   sqlfault.Postgres,
	},
	bundialect.MySQL: {
		name:     "mysql",
		rowLocks: true,
		mark:     `INSERT IGNORE INTO %s (name, group_id) VALUES ('%s', 1)`,
		faults:   sqlfault.MySQL,
	},
	bundialect.SQLite: {
		name:   "sqlite",
		mark:   `INSERT OR IGNORE INTO %s (name, group_id) VALUES ('%s', 1)`,
		faults: sqlfault.SQLite,
	},
}

func dialectOf(db *bun.DB) (*dialect, error) {
	name := db.Dialect().Name()
	if d, ok := dialects[name]; ok {
		return d, nil
	}
	return nil, fmt.Errorf("no support for %s: PostgreSQL, MySQL, MariaDB and SQLite are supported", name)
}

func dialectNamed(name string) (*dialect, error) {
	for _, d := range dialects {
		if d.name == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("no migrations for %q: there are some for postgres, mysql and sqlite", name)
}
