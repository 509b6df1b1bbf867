package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/specimport"
	"github.com/onceberg/onceberg/internal/upstream"
)

// upstreamFacts are known of the documents by counting in them by hand.
var upstreamFacts = []struct {
	file, pkg             string
	operations, declaring int
}{
	{"iceberg-main-2026-08-21.yaml", "icebergmain", 35, 17},
	{"iceberg-1.11.0.yaml", "iceberg111", 32, 16},
	{"iceberg-1.6.1.yaml", "iceberg161", 25, 0},
}

func specConfig(name string) generator.Config {
	c := generator.DefaultConfig()
	c.Spec = name
	return c
}

// Cases B1, B2, B4 and B5 in one: none of these documents could be generated
// from before the repairs. What comes out compiles, passes vet, and loses
// nothing that the document knows of a value.
func TestUpstream(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	analyses, packages := map[string]*generator.Analysis{}, map[string][]subject{}
	for _, f := range upstreamFacts {
		spec := upstream.Spec(t, f.file)
		if spec == nil {
			return
		}
		a := m.generate(t, f.pkg, spec, specConfig(f.file))
		if got := len(a.Plan.Operations); got != f.operations {
			t.Errorf("%s: %d operations, want %d", f.file, got, f.operations)
		}
		if got := a.Plan.Declaring(); got != f.declaring {
			t.Errorf("%s: %d operations declare the key, want %d", f.file, got, f.declaring)
		}
		analyses[f.pkg], packages[f.pkg] = a, subjects(t, a, m.path(f.pkg))
	}
	program := buildHarness(t, m, packages)
	m.tool(t, "vet", "./...")
	for _, pkg := range sortedKeys(packages) {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			exerciseSubjects(t, program, pkg, analyses[pkg], packages[pkg])
		})
	}
}

// Code with doc comments from a summaries file owes nothing to the document's
// prose: upstream's file and the stripped one give the same bytes.
func TestStrippedGivesTheSameCode(t *testing.T) {
	t.Parallel()
	for _, f := range upstreamFacts {
		t.Run(f.pkg, func(t *testing.T) {
			t.Parallel()
			spec := upstream.Spec(t, f.file)
			if spec == nil {
				return
			}
			stripped, err := specimport.Import(f.file, spec, specimport.Provenance{Repository: "example.org/iceberg", Revision: "1f2e3d", Path: f.file})
			if err != nil {
				t.Fatal(err)
			}
			for _, comments := range []generator.DocComments{generator.FromSummaries, generator.NoComments} {
				full := generatedFiles(t, f.file, spec, comments)
				bare := generatedFiles(t, f.file, stripped, comments)
				if len(full) == 0 || len(full) != len(bare) {
					t.Fatalf("%s: %d files from upstream's, %d from ours", comments, len(full), len(bare))
				}
				for name, text := range full {
					if !bytes.Equal(text, bare[name]) {
						t.Errorf("%s: %s differs: %s", comments, name, firstDifference(text, bare[name]))
					}
				}
			}
		})
	}
}

func generatedFiles(t *testing.T, name string, spec []byte, comments generator.DocComments) map[string][]byte {
	t.Helper()
	c := specConfig(name)
	c.DocComments = comments
	if comments == generator.FromSummaries {
		c.Summaries = filepath.Join(projectRoot(t), "spec", "summaries.yaml")
	}
	c.Out = t.TempDir()
	if _, err := generator.Generate(spec, c); err != nil {
		t.Fatal(err)
	}
	return folder(t, c.Out)
}

func folder(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		files[entry.Name()] = read(t, filepath.Join(dir, entry.Name()))
	}
	return files
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(a, b []byte) string {
	left, right := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(left), len(right)) {
		if !bytes.Equal(left[i], right[i]) {
			return string(left[i]) + "  |  " + string(right[i])
		}
	}
	return "one is longer"
}
