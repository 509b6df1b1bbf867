package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/store/sqlstore"
)

func newMigrate(file *string) *cobra.Command {
	var printOnly bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database tables up to date",
		Long: "migrate creates or changes the catalog's tables, in the database of catalog.dsn, and\n" +
			"those of the sql store, in the database of idempotency.sql.dsn or else the catalog's. It\n" +
			"does what is missing, also when several run at once. With --print it connects nowhere\n" +
			"and prints the SQL for those kinds of database.",
		Example: "  server migrate --catalog.dsn postgres://catalog@db/catalog\n" +
			"  server migrate --print --catalog.dsn mysql:",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := load(cmd, *file)
			if err != nil {
				return err
			}
			if printOnly {
				return printMigrations(cmd.OutOrStdout(), s)
			}
			if err := migrate(cmd.Context(), s, newLogger(s, cmd.ErrOrStderr())); err != nil {
				return failed(err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), "the tables are up to date")
			return nil
		},
	}
	cmd.Flags().BoolVar(&printOnly, "print", false, "print the SQL instead of running it")
	return cmd
}

func printMigrations(w io.Writer, s *settings.Settings) error {
	if err := database.PrintMigrations(w, databaseOf(s.CatalogDSN())); err != nil {
		return err
	}
	dsn := s.Idempotency.SQL.DSN
	if dsn == "" {
		dsn = s.CatalogDSN()
	}
	return sqlstore.PrintMigrations(w, databaseOf(dsn))
}

func migrate(ctx context.Context, s *settings.Settings, log *slog.Logger) error {
	db, err := openCatalogDatabase(ctx, s, log)
	if err != nil {
		return err
	}
	err = errors.Join(migrateCatalog(ctx, s, db), db.Close())
	own := s.Idempotency.SQL
	if err != nil || own.DSN == "" {
		return err
	}
	records, err := sqlstore.Open(ctx, own.DSN, sqlOptions(own, log))
	if err != nil {
		return notOpened("idempotency.sql.dsn", err)
	}
	return errors.Join(records.Migrate(ctx), records.Close())
}

// databaseOf is the kind of database that a DSN of the settings means, which have
// held it to mean one.
func databaseOf(dsn string) string {
	kind, _ := sqlstore.DatabaseOf(dsn)
	return kind
}
