package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// exitBadInput says that nothing could be told: bad usage, or a server out of
// reach.
const exitBadInput = 2

// Do runs the command with its arguments and returns the exit code. When ctx ends, or at
// the first interrupt, the run does, after cleaning up; at the second it does so at once.
func Do(ctx context.Context, interrupts <-chan os.Signal, args []string, stdout, stderr io.Writer) int {
	code := 0
	root := newRoot(interrupts, &code)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, "conform:", strings.TrimPrefix(err.Error(), "conformance: "))
		return exitBadInput
	}
	return code
}

func newRoot(interrupts <-chan os.Signal, code *int) *cobra.Command {
	s := &settings{interrupts: interrupts}
	root := &cobra.Command{
		Use:   "conform URL",
		Short: "Test whether an Iceberg REST server keeps the Idempotency-Key promise",
		Long: "conform asks an Iceberg REST server, of any make, whether it applies each keyed\n" +
			"mutation once: with lost answers, twins, reused and malformed keys. URL is what clients\n" +
			"are configured with, all that comes before /v1.\n\n" +
			"It works in namespaces of its own (conform_…) and removes them afterwards, also when it\n" +
			"is interrupted; a second interrupt ends it at once and leaves them. It exits\n" +
			"with 0 when the server keeps the promise, with 1 when it breaks what the specification\n" +
			"requires (must) or implies (should), and with 2 when that could not be told.",
		Example: "  conform http://localhost:8181\n" +
			"  conform --only 'createTable/*' --only '*/twins' http://localhost:8181\n" +
			"  CONFORM_TOKEN=… conform --warehouse prod --junit conform.xml https://catalog.example/api",
		Args:          s.args,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.list {
				return writeCases(cmd.OutOrStdout())
			}
			if err := s.check(); err != nil {
				return err
			}
			var err error
			*code, err = s.run(cmd.Context(), args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
			return err
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	s.flags(root.Flags(), os.Getenv)
	return root
}

// run plays the cases, shows them and writes the files that were asked for.
func (s *settings) run(ctx context.Context, url string, stdout, stderr io.Writer) (int, error) {
	target, err := s.target(url)
	if err != nil {
		return exitBadInput, err
	}
	out := stdout
	if s.toStdout() {
		out = stderr // a report has standard output for itself
	}
	screen := newScreen(out, stderr)
	s.options.OnResult = screen.show
	report, err := s.play(ctx, target, screen)
	screen.end()
	if err != nil {
		return exitBadInput, err
	}
	if err := s.write(report, stdout); err != nil {
		return exitBadInput, err
	}
	if err := writeReport(out, report, screen.paint); err != nil {
		return exitBadInput, err
	}
	return report.ExitCode(), nil
}
