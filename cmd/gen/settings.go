package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/onceberg/onceberg/generator"
)

// settings are what the flags say; a flag that was not given says nothing.
type settings struct {
	configFile string
	given      generator.Config
	comments   string
}

func (s *settings) flags(f *pflag.FlagSet) {
	f.StringVar(&s.configFile, "config", "", "configuration file (default "+generator.ConfigFile+" when there is one)")
	f.StringVar(&s.given.Spec, "spec", "", "the OpenAPI document, YAML or JSON; - reads standard input")
	f.StringVar(&s.given.Out, "out", "", "folder for the generated code (default generated)")
	f.StringVar(&s.given.Package, "package", "", "name of the generated package (default generated)")
	f.StringVar(&s.given.Runtime, "runtime", "", "import path of onceberg's runtime")
	f.StringVar(&s.given.Header, "header", "", "request header that carries the key (default Idempotency-Key)")
	f.StringSliceVar(&s.given.Also, "also", nil, "operations to treat as idempotent though the document forgot them; '' empties the list")
	f.StringSliceVar(&s.given.Except, "except", nil, "operations not to treat as idempotent; '' empties the list")
	f.StringSliceVar(&s.given.SecretFields, "secret-fields", nil, "more names of response properties that are never stored")
	f.StringSliceVar(&s.given.Raw, "raw", nil, "schemas that pass through as raw JSON; '' empties the list")
	f.StringSliceVar(&s.given.Optional, "optional", nil, "properties (Schema.property) that are required but left out by clients")
	f.StringToStringVar(&s.given.Renames, "renames", nil, "other Go names for schemas: Old=New")
	f.StringVar(&s.comments, "doc-comments", "", "where doc comments come from: spec, summaries, none (default spec)")
	f.StringVar(&s.given.Summaries, "summaries", "", "file of one-line summaries, for --doc-comments summaries")
}

// config is the configuration file's content under the flags that were given.
func (s *settings) config(cmd *cobra.Command) (generator.Config, error) {
	c, err := s.file()
	if err != nil {
		return c, err
	}
	s.given.DocComments = generator.DocComments(s.comments)
	override := map[string]func(){
		"spec":          func() { c.Spec = s.given.Spec },
		"out":           func() { c.Out = s.given.Out },
		"package":       func() { c.Package = s.given.Package },
		"runtime":       func() { c.Runtime = s.given.Runtime },
		"header":        func() { c.Header = s.given.Header },
		"also":          func() { c.Also = s.given.Also },
		"except":        func() { c.Except = s.given.Except },
		"secret-fields": func() { c.SecretFields = s.given.SecretFields },
		"raw":           func() { c.Raw = s.given.Raw },
		"optional":      func() { c.Optional = s.given.Optional },
		"renames":       func() { c.Renames = s.given.Renames },
		"doc-comments":  func() { c.DocComments = s.given.DocComments },
		"summaries":     func() { c.Summaries = s.given.Summaries },
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if apply := override[f.Name]; apply != nil {
			apply()
		}
	})
	return c, c.Validate()
}

func (s *settings) file() (generator.Config, error) {
	if s.configFile != "" {
		return generator.ReadConfig(s.configFile)
	}
	if _, err := os.Stat(generator.ConfigFile); errors.Is(err, fs.ErrNotExist) {
		return generator.DefaultConfig(), nil
	}
	return generator.ReadConfig(generator.ConfigFile)
}

// input is the configuration and the document it names.
func (s *settings) input(cmd *cobra.Command) (generator.Config, []byte, error) {
	c, err := s.config(cmd)
	if err != nil {
		return c, nil, err
	}
	spec, err := generator.ReadSpec(c.Spec, cmd.InOrStdin())
	return c, spec, err
}
