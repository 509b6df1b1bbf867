package sqlstore

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// PrintMigrations writes the SQL of all migrations for a database administrator
// to run by hand: for "postgres", "mysql" (MariaDB too) or "sqlite". The script
// does what [Migrate] does on an empty database, including the notes that keep
// Migrate from doing it again.
func PrintMigrations(w io.Writer, database string) error {
	d, err := dialectNamed(database)
	if err != nil {
		return err
	}
	folder, err := d.folder()
	if err != nil {
		return err
	}
	names, err := fs.Glob(folder, "*.up.sql")
	if err != nil {
		return err
	}
	var script strings.Builder
	for _, name := range append([]string{bookkeeping}, names...) {
		statements, err := d.statements(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&script, "-- %s\n", name)
		for _, statement := range statements {
			fmt.Fprintf(&script, "%s\n\n", strings.TrimSpace(statement))
		}
		if name != bookkeeping {
			id, _, _ := strings.Cut(name, "_")
			fmt.Fprintf(&script, d.markSQL+";\n\n", id)
		}
	}
	_, err = io.WriteString(w, script.String())
	return err
}

func dialectNamed(name string) (*dialect, error) {
	for _, d := range []*dialect{postgresDialect, mysqlDialect, sqliteDialect} {
		if d.name == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("sqlstore: no migrations for %q: there are some for postgres, mysql and sqlite", name)
}
