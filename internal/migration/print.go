package migration

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Print writes the SQL of all migrations for a database administrator to run by
// hand: for "postgres", "mysql" (MariaDB too) or "sqlite". The script does what
// Migrate does on an empty database, including the notes that keep Migrate from
// doing it again.
func (s *Set) Print(w io.Writer, database string) error {
	script, err := s.script(database)
	if err == nil {
		_, err = io.WriteString(w, script)
	}
	if err != nil {
		return fmt.Errorf("%s: print the migrations: %w", s.Part, err)
	}
	return nil
}

func (s *Set) script(database string) (string, error) {
	d, err := dialectNamed(database)
	if err != nil {
		return "", err
	}
	folder, err := s.folder(d)
	if err != nil {
		return "", err
	}
	names, err := fs.Glob(folder, "*.up.sql")
	if err != nil {
		return "", err
	}
	statements, err := s.bookkeeping(d)
	if err != nil {
		return "", err
	}
	script := new(strings.Builder)
	write(script, "bookkeeping.sql", statements)
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return "", err
		}
		id, _, _ := strings.Cut(name, "_")
		write(script, name, append(split(string(text)), s.mark(d, id)+";"))
	}
	return script.String(), nil
}

func write(script *strings.Builder, title string, statements []string) {
	fmt.Fprintf(script, "-- %s\n", title)
	for _, statement := range statements {
		fmt.Fprintf(script, "%s\n\n", statement)
	}
}
