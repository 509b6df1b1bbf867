package migration

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// books holds the statements that create a set's two tables, by dialect: one has
// a row for each migration that was applied, the other a row to lock.
//
//go:embed bookkeeping
var books embed.FS

// marks is the table of the migrations that were applied.
func (s *Set) marks() string { return s.Prefix + "_migrations" }

// mark is the statement that notes a migration as applied.
func (s *Set) mark(d *dialect, name string) string { return fmt.Sprintf(d.mark, s.marks(), name) }

// bookkeeping returns the statements that create the two tables.
func (s *Set) bookkeeping(d *dialect) ([]string, error) {
	text, err := books.ReadFile("bookkeeping/" + d.name + ".sql")
	if err != nil {
		return nil, err
	}
	return split(strings.ReplaceAll(string(text), "{prefix}", s.Prefix)), nil
}

// split separates the statements of a file.
func split(text string) []string {
	statements := strings.Split(strings.TrimSpace(text), "--bun:split\n")
	for i := range statements {
		statements[i] = strings.TrimSpace(statements[i])
	}
	return statements
}

// createBookkeeping creates the two tables. IF NOT EXISTS does not keep two nodes
// from creating one at once, so the loser tries again.
func (s *Set) createBookkeeping(ctx context.Context, db *bun.DB, d *dialect) error {
	statements, err := s.bookkeeping(d)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		for try := 1; ; try++ {
			_, err := db.ExecContext(ctx, statement)
			if err == nil {
				break
			}
			if try == sqlfault.MaxTries || !d.faults.IsRacing(err) || !sqlfault.Pause(ctx, try) {
				return err
			}
		}
	}
	return nil
}
