package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit codes of the command.
const (
	exitOK       = 0
	exitFindings = 1
	exitBadInput = 2
	exitSignal   = 128 // and the signal's number
)

// errFindings says that a command worked and found something; what, it has
// printed already.
var errFindings = errors.New("findings")

// Do runs the command with its arguments and returns the exit code.
func Do(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	}
	fmt.Fprintln(stderr, "gen:", err)
	if signal, ok := errors.AsType[interrupted](err); ok {
		return signal.code()
	}
	return exitBadInput
}

func newRoot() *cobra.Command {
	settings := &settings{}
	generate := newGenerate(settings)
	root := &cobra.Command{
		Use:   "gen",
		Short: "Generate idempotent Echo handlers from an OpenAPI document",
		Long: "gen reads an OpenAPI document, finds the operations that declare an idempotency\n" +
			"key, and writes Go: models, Echo handlers, and their wiring to onceberg's runtime.\n" +
			"Without a command it generates.",
		Example: "  gen                                     use onceberg.yaml in this folder\n" +
			"  gen --spec rest-catalog-open-api.yaml --out catalog --package catalog\n" +
			"  gen check                               in CI: is the code up to date?\n" +
			"  gen report --format html > report.html",
		Args:          cobra.NoArgs,
		RunE:          generate.RunE,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	settings.flags(root.PersistentFlags())
	root.AddCommand(generate, newCheck(settings), newReport(settings), newDiff(settings), newSpec())
	return root
}
