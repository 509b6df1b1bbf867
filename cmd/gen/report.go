package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/report"
)

func newReport(s *settings) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Show operations, key coverage, final statuses and repairs",
		Long: "report says what the generator finds in a document: which operations declare the\n" +
			"key and where, which statuses are recorded and which free the key, which response\n" +
			"fields are never stored, and what had to be repaired. Nothing is written.",
		Example: "  gen report\n" +
			"  gen report --spec openapi.yaml --format json | jq '.operations[] | select(.idempotent)'\n" +
			"  gen report --format html > report.html",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, spec, err := s.input(cmd)
			if err != nil {
				return err
			}
			a, err := generator.Analyze(spec, c)
			if err != nil {
				return err
			}
			warn(cmd.ErrOrStderr(), a.Plan)
			r := report.New(a)
			return write(cmd.OutOrStdout(), format, map[string]func(io.Writer) error{
				"text": r.WriteText, "json": r.WriteJSON, "html": r.WriteHTML,
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json or html")
	return cmd
}

// write chooses among the formats of a command.
func write(w io.Writer, format string, formats map[string]func(io.Writer) error) error {
	do, known := formats[format]
	if !known {
		return fmt.Errorf("--format: %q is not a format of this command", format)
	}
	return do(w)
}
