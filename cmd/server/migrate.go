package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/store/sqlstore"
)

func newMigrate(file *string) *cobra.Command {
	var printOnly bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the tables of the sql store up to date",
		Long: "migrate creates or changes the tables that idempotency.store-type sql needs, in the\n" +
			"database of idempotency.sql.dsn. It does what is missing, also when several run at\n" +
			"once. With --print it connects nowhere and prints the SQL for that kind of database.",
		Example: "  server migrate --idempotency.sql.dsn postgres://catalog@db/catalog\n" +
			"  server migrate --print --idempotency.sql.dsn mysql:",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := load(cmd, *file)
			if err != nil {
				return err
			}
			sql := s.Idempotency.SQL
			if sql.DSN == "" {
				return errors.New("idempotency.sql.dsn names no database")
			}
			if printOnly {
				return sqlstore.PrintMigrations(cmd.OutOrStdout(), databaseOf(sql.DSN))
			}
			if err := migrate(cmd.Context(), sql, newLogger(s, cmd.ErrOrStderr())); err != nil {
				return failure{err}
			}
			fmt.Fprintln(cmd.OutOrStdout(), "the tables are up to date")
			return nil
		},
	}
	cmd.Flags().BoolVar(&printOnly, "print", false, "print the SQL instead of running it")
	return cmd
}

func migrate(ctx context.Context, s settings.SQL, log *slog.Logger) error {
	db, err := sqlstore.Open(ctx, s.DSN, sqlOptions(s, log))
	if err != nil {
		return fmt.Errorf("idempotency.sql.dsn: %w", err)
	}
	return errors.Join(db.Migrate(ctx), db.Close())
}

// databaseOf is the kind of database that a DSN of sqlstore.OpenDB means.
func databaseOf(dsn string) string {
	switch scheme, _, _ := strings.Cut(dsn, ":"); {
	case strings.HasPrefix(scheme, "postgres"):
		return "postgres"
	case scheme == "sqlite", scheme == "file", scheme == "":
		return "sqlite"
	default:
		return "mysql"
	}
}
