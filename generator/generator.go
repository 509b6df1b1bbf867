package generator

import (
	"fmt"
	"io"
	"os"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/emit"
	"github.com/onceberg/onceberg/generator/plan"
	"github.com/onceberg/onceberg/generator/repair"
)

// Analysis is what the first three stages find out.
type Analysis struct {
	// Read is the document as it was read, Repaired what the repairs made of it.
	Read, Repaired *document.Document
	// Repairs are the changes between the two.
	Repairs []repair.Repair
	// Plan lists the operations.
	Plan *plan.Plan

	config Config
}

// ReadSpec reads the document a configuration names; "-" is stdin.
func ReadSpec(path string, stdin io.Reader) ([]byte, error) {
	if path == "-" {
		text, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("reading standard input: %w", err)
		}
		return text, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("spec: %s is a folder, not a document", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("spec: %w", err)
	}
	return text, nil
}

// Analyze loads and repairs a document and makes its plan. Faults of the
// document are *document.Error.
func Analyze(spec []byte, c Config) (*Analysis, error) {
	read, err := Load(c.Spec, spec)
	if err != nil {
		return nil, err
	}
	if err := c.comment(read); err != nil {
		return nil, err
	}
	repaired := read.Clone()
	repairs, err := repair.Apply(repaired, repair.Options{Raw: c.Raw, Optional: c.Optional, Renames: c.Renames})
	if err != nil {
		return nil, err
	}
	p, err := plan.Build(read, repaired, plan.Options{
		Header: c.Header, Also: c.Also, Except: c.Except, SecretFields: c.SecretFields,
	})
	if err != nil {
		return nil, err
	}
	return &Analysis{Read: read, Repaired: repaired, Repairs: repairs, Plan: p, config: c}, nil
}

// Load parses and checks a document.
func Load(name string, spec []byte) (*document.Document, error) {
	d, err := document.Parse(name, spec)
	if err != nil {
		return nil, err
	}
	return d, d.Check()
}

// Render renders the files of an analysed document.
func (a *Analysis) Render() ([]emit.File, error) {
	return emit.Render(a.Repaired, a.Plan, emit.Options{Package: a.config.Package, RuntimeImport: a.config.Runtime})
}

// Generate writes the code for a document into the configured folder, and
// returns what it knows of the document. When it fails, the folder is as it was.
func Generate(spec []byte, c Config) (*Analysis, error) {
	a, files, err := Render(spec, c)
	if err != nil {
		return nil, err
	}
	return a, emit.Write(c.Out, files)
}

// Check compares the configured folder with what Generate would write there. It
// writes nothing.
func Check(spec []byte, c Config) ([]emit.StaleFile, error) {
	_, files, err := Render(spec, c)
	if err != nil {
		return nil, err
	}
	return emit.Stale(c.Out, files)
}

// Render makes the code for a document in memory, for a caller that writes it by
// emit.Write itself. It checks the configuration first.
func Render(spec []byte, c Config) (*Analysis, []emit.File, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	a, err := Analyze(spec, c)
	if err != nil {
		return nil, nil, err
	}
	files, err := a.Render()
	return a, files, err
}
