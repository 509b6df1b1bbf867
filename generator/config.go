package generator

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/module"
)

// ConfigFile is the configuration that is read from the working folder when
// there is one and no other is named.
const ConfigFile = "onceberg.yaml"

// Config is the content of onceberg.yaml. In a file, paths are relative to the
// file's folder, so that it can be used from anywhere; ReadConfig resolves them.
type Config struct {
	// Spec is the document's path; "-" reads standard input.
	Spec string `yaml:"spec"`
	// Out is the folder the code goes to.
	Out string `yaml:"out"`
	// Package names the generated package.
	Package string `yaml:"package"`
	// Runtime is the import path of onceberg's runtime.
	Runtime string `yaml:"runtime"`
	// Header is the request header that carries the key; case does not matter.
	Header string `yaml:"header"`
	// Also lists operations to treat as idempotent though the document forgot
	// them; Except lists operations not to.
	Also   []string `yaml:"also"`
	Except []string `yaml:"except"`
	// SecretFields adds names of response properties that are never stored.
	SecretFields []string `yaml:"secret-fields"`
	// Raw lists schemas that pass through as raw JSON.
	Raw []string `yaml:"raw"`
	// Optional lists properties, as Schema.property, that the document requires
	// and real clients leave out.
	Optional []string `yaml:"optional"`
	// Renames gives schemas other Go names.
	Renames map[string]string `yaml:"renames"`
	// DocComments says where doc comments come from.
	DocComments DocComments `yaml:"doc-comments"`
	// Summaries is the file of one-line summaries that doc comments come from.
	Summaries string `yaml:"summaries"`
}

// DocComments says where the doc comments of generated code come from.
type DocComments string

// The sources of doc comments.
const (
	// FromSpec takes the document's own descriptions.
	FromSpec DocComments = "spec"
	// FromSummaries takes them from a file, so that the code does not depend on
	// the document's prose.
	FromSummaries DocComments = "summaries"
	// NoComments writes none.
	NoComments DocComments = "none"
)

// DefaultConfig is what holds where the file and the flags say nothing.
func DefaultConfig() Config {
	return Config{
		Out:         "generated",
		Package:     "generated",
		Runtime:     "github.com/onceberg/onceberg/runtime",
		Header:      "Idempotency-Key",
		DocComments: FromSpec,
	}
}

// ReadConfig reads a configuration file over the defaults. A key it does not
// know, one that stands twice and a value of the wrong type are errors that name
// file and line.
func ReadConfig(path string) (Config, error) {
	c := DefaultConfig()
	text, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("configuration: %w", err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return c, fmt.Errorf("configuration %s: %w", path, plainYAMLError(err, text))
	}
	c.resolve(filepath.Dir(path))
	return c, nil
}

// resolve makes the paths of a file in dir relative to the working folder.
func (c *Config) resolve(dir string) {
	for _, path := range []*string{&c.Spec, &c.Out, &c.Summaries} {
		if *path != "" && *path != "-" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
}

// Validate checks a configuration as a whole, once flags have been applied. The
// error names the key.
func (c Config) Validate() error {
	switch {
	case c.Spec == "":
		return errors.New("spec: no document is named; set spec in " + ConfigFile + " or use --spec")
	case c.Out == "":
		return errors.New("out: no output folder is named")
	case !token.IsIdentifier(c.Package):
		return fmt.Errorf("package: %q is not a Go package name", c.Package)
	case c.Runtime == "":
		return errors.New("runtime: no import path is given")
	case !headerName.MatchString(c.Header):
		return fmt.Errorf("header: %q is not a header name", c.Header)
	}
	if err := module.CheckImportPath(c.Runtime); err != nil {
		return fmt.Errorf("runtime: %w", err)
	}
	switch c.DocComments {
	case FromSpec, NoComments:
		return nil
	case FromSummaries:
		if c.Summaries == "" {
			return errors.New("summaries: doc-comments is summaries, but no file is named")
		}
		return nil
	}
	return fmt.Errorf("doc-comments: %q is none of spec, summaries, none", c.DocComments)
}

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
