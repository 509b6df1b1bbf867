package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/diff"
)

func newDiff(s *settings) *cobra.Command {
	var format string
	var exitCode bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show what changed between two documents",
		Long: "diff compares two documents: operations and key coverage gained or lost, statuses,\n" +
			"parameters and fields changed, and whom a change breaks. Of the configuration it\n" +
			"reads the header's name alone. Nothing is written.",
		Example: "  gen diff rest-catalog-1.10.yaml rest-catalog-1.11.yaml\n" +
			"  gen diff --exit-code --format json spec/rest-catalog-open-api.yaml upstream.yaml",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			old, err := s.analyze(cmd, args[0])
			if err != nil {
				return err
			}
			new, err := s.analyze(cmd, args[1])
			if err != nil {
				return err
			}
			d := diff.Compare(old, new)
			err = write(cmd.OutOrStdout(), format, map[string]func(io.Writer) error{"text": d.WriteText, "json": d.WriteJSON})
			if err == nil && exitCode && !d.Empty() {
				return errFindings
			}
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 1 when the documents differ")
	return cmd
}

// analyze reads one of the documents to compare. What the configuration says of
// single operations and schemas may be true of one version and not of another.
func (s *settings) analyze(cmd *cobra.Command, path string) (*generator.Analysis, error) {
	c := generator.DefaultConfig()
	file, err := s.file()
	if err != nil {
		return nil, err
	}
	c.Header = file.Header
	if cmd.Flags().Changed("header") {
		c.Header = s.given.Header
	}
	c.Spec = path
	if err := c.Validate(); err != nil {
		return nil, err
	}
	spec, err := generator.ReadSpec(path, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	return generator.Analyze(spec, c)
}
