package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// Exit codes of the command.
const (
	exitOK       = 0
	exitFailure  = 1
	exitBadInput = 2
)

// failure is an error of a command that was called as it should be.
type failure struct{ error }

// Unwrap returns what went wrong.
func (f failure) Unwrap() error { return f.error }

// failed makes a failure of an error, unless it is about a DSN: that is found out
// where it is used, and is bad input all the same.
func failed(err error) error {
	if _, ok := errors.AsType[*sqlstore.DSNError](err); ok {
		return err
	}
	return failure{err}
}

// Do runs the command with its arguments and returns the exit code. The end of
// ctx stops a server gracefully, as a signal does.
func Do(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "server:", err)
	if errors.As(err, new(failure)) {
		return exitFailure
	}
	return exitBadInput
}

func newRoot() *cobra.Command {
	var file string
	serve := newServe(&file)
	root := &cobra.Command{
		Use:   "server",
		Short: "Serve an Iceberg REST catalog that applies each keyed mutation once",
		Long: "server is an Iceberg REST catalog. Every setting can be made in a YAML file, in the\n" +
			"environment (ONCEBERG_IDEMPOTENCY_KEY_LIFETIME and so on) or by a flag; a flag counts\n" +
			"more than the environment, and that more than the file. Without a command it serves.",
		Example: "  server --idempotency.enabled\n" +
			"  server serve --config server.yaml\n" +
			"  ONCEBERG_LISTEN=0.0.0.0:8181 server config",
		Args:          cobra.NoArgs,
		RunE:          serve.RunE,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	flags := root.PersistentFlags()
	flags.StringVar(&file, "config", "", "YAML file with the configuration")
	settings.AddFlags(flags)
	root.AddCommand(serve, newConfig(&file), newMigrate(&file), newVersion())
	return root
}

// load reads the settings for a command.
func load(cmd *cobra.Command, file string) (*settings.Settings, error) {
	return settings.Load(settings.Sources{File: file, Environ: os.Environ(), Flags: cmd.Flags()})
}

func newConfig(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration, secrets masked",
		Long: "config reads the configuration as serve would and prints it as YAML. Comments say\n" +
			"where a value comes from that is not the default. Passwords are masked.",
		Example: "  server config --config server.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := load(cmd, *file)
			if err != nil {
				return err
			}
			return s.Print(cmd.OutOrStdout())
		},
	}
}
