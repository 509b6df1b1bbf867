package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/plan"
)

var update = flag.Bool("update", false, "write what the cases give instead of comparing")

// Files of a case. One of the documents must be there; of the expected files
// either plan.json and repairs.txt, or error.txt. A snippets.txt lists Go
// declarations, each after a line "=== name"; -update fills them in.
const (
	documentYAML = "openapi.yaml"
	documentJSON = "openapi.json"
	caseConfig   = generator.ConfigFile
	planFile     = "plan.json"
	repairsFile  = "repairs.txt"
	snippetsFile = "snippets.txt"
	errorFile    = "error.txt"
)

var caseFiles = []string{documentYAML, documentJSON, caseConfig, planFile, repairsFile, snippetsFile, errorFile}

// goldenCase is one folder below cases.
type goldenCase struct {
	name, dir string
	config    generator.Config
	configErr error
	spec      []byte
}

func readCases(t *testing.T) []goldenCase {
	t.Helper()
	entries, err := os.ReadDir("cases")
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	for _, entry := range entries {
		c := goldenCase{name: entry.Name(), dir: filepath.Join("cases", entry.Name())}
		files, err := os.ReadDir(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		has := map[string]bool{}
		for _, f := range files {
			if !slices.Contains(caseFiles, f.Name()) {
				t.Errorf("%s/%s is no file of a case; those are %s", c.dir, f.Name(), strings.Join(caseFiles, ", "))
			}
			has[f.Name()] = true
		}
		document := documentYAML
		if has[documentJSON] {
			document = documentJSON
		}
		if has[documentYAML] == has[documentJSON] {
			t.Errorf("%s must hold one of %s and %s", c.dir, documentYAML, documentJSON)
			continue
		}
		c.config = generator.DefaultConfig()
		if has[caseConfig] {
			c.config, c.configErr = generator.ReadConfig(filepath.Join(c.dir, caseConfig))
			if c.config.Summaries != "" {
				c.config.Summaries = filepath.Join(c.dir, filepath.Base(c.config.Summaries))
			}
		}
		c.config.Spec = document
		c.spec = read(t, filepath.Join(c.dir, document))
		cases = append(cases, c)
	}
	return cases
}

// pkg is the name of the package a case is generated into.
func (c goldenCase) pkg() string { return strings.ReplaceAll(c.name, "-", "") }

// TestCases generates from every document below cases, compares what the stages
// say with what is expected, compiles all of the code that came out, and
// round-trips instances of the documents' schemas through it.
func TestCases(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	packages := map[string][]subject{}
	analyses := map[string]*generator.Analysis{}
	for _, c := range readCases(t) {
		t.Run(c.name, func(t *testing.T) {
			a, err := c.generate(m)
			if err != nil {
				c.expect(t, errorFile, []byte(err.Error()+"\n"))
				c.expectNothing(t, planFile, repairsFile, snippetsFile)
				if files, err := os.ReadDir(m.path(c.pkg())); err == nil {
					t.Errorf("%d files were written in spite of the error", len(files))
				}
				return
			}
			c.expectNothing(t, errorFile)
			c.expect(t, planFile, planJSON(a.Plan))
			c.expect(t, repairsFile, repairLines(a))
			c.expectSnippets(t, m)
			packages[c.pkg()] = subjects(t, a, m.path(c.pkg()))
			analyses[c.pkg()] = a
		})
	}
	if t.Failed() || len(packages) == 0 {
		return
	}
	program := buildHarness(t, m, packages)
	m.tool(t, "vet", "./...")
	for _, pkg := range sortedKeys(packages) {
		t.Run("lossless/"+pkg, func(t *testing.T) {
			t.Parallel()
			exerciseSubjects(t, program, pkg, analyses[pkg], packages[pkg])
		})
	}
}

func (c goldenCase) generate(m *module) (*generator.Analysis, error) {
	if c.configErr != nil {
		return nil, errors.New(strings.ReplaceAll(c.configErr.Error(), c.dir+string(filepath.Separator), ""))
	}
	c.config.Out = m.path(c.pkg())
	if c.config.Package == generator.DefaultConfig().Package {
		c.config.Package = c.pkg()
	}
	return generator.Generate(c.spec, c.config)
}

// expect compares with an expected file, or writes it.
func (c goldenCase) expect(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join(c.dir, file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is missing; it would hold:\n%s", path, got)
		return
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs: %s\ngot:\n%s", path, firstDifference(want, got), got)
	}
}

// expectNothing makes sure that files which contradict the outcome are not there.
func (c goldenCase) expectNothing(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		path := filepath.Join(c.dir, file)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if !*update {
			t.Errorf("%s is not what came out", path)
			continue
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// planJSON shows a plan as the report does, and the routes with it.
func planJSON(p *plan.Plan) []byte {
	type operation struct {
		ID           string   `json:"id"`
		Method       string   `json:"method"`
		Routes       []string `json:"routes"`
		Idempotent   bool     `json:"idempotent"`
		DeclaredAt   string   `json:"declared_at"`
		Final        []string `json:"final_statuses"`
		Released     []string `json:"released_statuses"`
		StateUnknown bool     `json:"state_unknown,omitempty"`
		OAuthErrors  bool     `json:"oauth_errors,omitempty"`
		Secrets      []string `json:"secret_fields,omitempty"`
	}
	operations := []operation{}
	for _, op := range p.Operations {
		o := operation{
			ID: op.ID, Method: op.Method, Routes: op.Routes(), Idempotent: op.Idempotent, DeclaredAt: op.DeclaredAt,
			Final: op.FinalStatuses, Released: op.ReleasedStatuses, StateUnknown: op.StateUnknown, OAuthErrors: op.OAuthErrors,
		}
		for _, s := range op.Secrets {
			pointer := s.Pointer
			if s.Entries {
				pointer += " (entries)"
			}
			o.Secrets = append(o.Secrets, pointer)
		}
		operations = append(operations, o)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(map[string]any{"key_header": p.KeyHeader, "operations": operations}); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func repairLines(a *generator.Analysis) []byte {
	var out bytes.Buffer
	for _, r := range a.Repairs {
		fmt.Fprintf(&out, "%s %s\n    %s\n", r.Name, r.Pointer, r.Reason)
	}
	return out.Bytes()
}
