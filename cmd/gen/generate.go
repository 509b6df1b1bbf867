package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/emit"
	"github.com/onceberg/onceberg/generator/report"
)

func newGenerate(s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "generate",
		Short: "Write the code (what gen does without a command)",
		Long: "generate writes the code for a document. All files are replaced or, when anything\n" +
			"fails, none: a signal takes effect before or after that. Files of an earlier run\n" +
			"that are no longer generated, or that a run left which was killed, are removed;\n" +
			"files that onceberg did not generate are never touched.",
		Example: "  gen generate --spec rest-catalog-open-api.yaml --out catalog --package catalog\n" +
			"  curl -s https://example.com/openapi.json | gen generate --spec - --out api --package api",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, spec, err := s.input(cmd)
			if err != nil {
				return err
			}
			a, files, err := generator.Render(spec, c)
			if err != nil {
				return err
			}
			if err := withoutSignals(func() error { return emit.Write(c.Out, files) }); err != nil {
				return err
			}
			about := report.Describe(a)
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %d idempotent, %s; written to %s\n", c.Spec,
				report.Count(about.Operations, "operation"), about.Idempotent, report.Count(len(a.Repairs), "repair"), c.Out)
			warn(cmd.ErrOrStderr(), a.Plan)
			return nil
		},
	}
}

func newCheck(s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Compare the code on disk with what the document gives",
		Long: "check generates into memory and compares. When a file is missing, differs, is no\n" +
			"longer generated, or was left by a run that was killed, it is named and the exit\n" +
			"code is 1. Nothing is written.",
		Example: "  gen check",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, spec, err := s.input(cmd)
			if err != nil {
				return err
			}
			stale, err := generator.Check(spec, c)
			if err != nil {
				return err
			}
			for _, file := range stale {
				fmt.Fprintf(cmd.OutOrStdout(), "%s/%s: %s\n", c.Out, file.Name, file.Why)
			}
			if len(stale) > 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "gen: the generated code is stale; run gen generate")
				return errFindings
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is up to date\n", c.Out)
			return nil
		},
	}
}
