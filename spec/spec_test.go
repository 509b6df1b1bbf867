package spec_test

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/onceberg/onceberg/generator/specimport"
	"github.com/onceberg/onceberg/internal/upstream"
	"github.com/onceberg/onceberg/spec"
)

// openAPI is as much of a document as these tests look at.
type openAPI struct {
	Paths      map[string]map[string]yaml.Node
	Components struct{ Schemas map[string]yaml.Node }
}

// operations maps each operationId to upstream's prose about it, which our own
// document lacks.
func (d openAPI) operations(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, item := range d.Paths {
		for method, node := range item {
			if method == "parameters" {
				continue
			}
			var op struct {
				OperationID string `yaml:"operationId"`
				Summary     string
				Description string
			}
			if err := node.Decode(&op); err != nil {
				t.Fatal(err)
			}
			found[op.OperationID] = op.Summary + "\n" + op.Description
		}
	}
	return found
}

type summaries struct{ Operations, Schemas map[string]string }

func decode[T any](t *testing.T, source []byte) T {
	t.Helper()
	var value T
	if err := yaml.Unmarshal(source, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestDocumentIsTheImportOfUpstream(t *testing.T) {
	t.Parallel()
	source := upstream.Spec(t, "iceberg-main-2026-08-21.yaml")
	if source == nil {
		return
	}
	want, err := specimport.Import("upstream", source, specimport.Provenance{
		Repository: specimport.IcebergRepository,
		Revision:   "0e7a36d48f",
		Path:       specimport.IcebergPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(spec.Document(), want) {
		t.Error("rest-catalog-open-api.yaml is not what gen spec import makes of upstream's file")
	}
}

func TestDocumentNamesItsSource(t *testing.T) {
	t.Parallel()
	prov, sum := spec.Provenance()
	want := specimport.Provenance{
		Repository: "github.com/apache/iceberg", Revision: "0e7a36d48f", Path: "open-api/rest-catalog-open-api.yaml",
	}
	if prov != want || sum != "9a160d49002a14e559ab4dcb5be9953b8880ca1544cf9773f05b1a720c3b35b7" {
		t.Errorf("Provenance = %+v, %s", prov, sum)
	}
	if n := len(decode[openAPI](t, spec.Document()).operations(t)); n != 35 {
		t.Errorf("the document has %d operations, want 35", n)
	}
}

func TestCallersCannotChangeWhatIsEmbedded(t *testing.T) {
	t.Parallel()
	spec.Document()[0], spec.Summaries()[0] = '!', '!'
	if spec.Document()[0] != '#' || spec.Summaries()[0] != '#' {
		t.Error("a caller changed the embedded text")
	}
}

func TestEveryOperationHasASummary(t *testing.T) {
	t.Parallel()
	documents := map[string][]byte{"our own": spec.Document()}
	for _, name := range upstream.Files {
		if source := upstream.Spec(t, name); source != nil {
			documents[name] = source
		}
	}
	ours := decode[summaries](t, spec.Summaries())
	for name, source := range documents {
		for id := range decode[openAPI](t, source).operations(t) {
			if ours.Operations[id] == "" {
				t.Errorf("%s: operation %s has no summary", name, id)
			}
		}
	}
}

func TestSummariesAreOfWhatExists(t *testing.T) {
	t.Parallel()
	ours, document := decode[summaries](t, spec.Summaries()), decode[openAPI](t, spec.Document())
	operations := document.operations(t)
	for id := range ours.Operations {
		if _, exists := operations[id]; !exists {
			t.Errorf("operation %s has a summary but does not exist", id)
		}
	}
	for name := range ours.Schemas {
		if _, exists := document.Components.Schemas[name]; !exists {
			t.Errorf("schema %s has a summary but does not exist", name)
		}
	}
	if len(ours.Schemas) < 40 {
		t.Errorf("%d schemas have a summary, want at least 40", len(ours.Schemas))
	}
}

var summaryForm = regexp.MustCompile(`^[a-z]+s [^\n]{5,108}[^ .\n]\.$`)

func TestSummariesCompleteASentence(t *testing.T) {
	t.Parallel()
	ours := decode[summaries](t, spec.Summaries())
	for _, group := range []map[string]string{ours.Operations, ours.Schemas} {
		seen := map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(group)) {
			text := group[name]
			if !summaryForm.MatchString(text) {
				t.Errorf("%s: %q does not begin with a verb in the third person and end with a period, on one short line", name, text)
			}
			if other := seen[text]; other != "" {
				t.Errorf("%s and %s have the same summary", other, name)
			}
			seen[text] = name
		}
	}
}

// A summary may share words with upstream's, but not a run of five of them.
func TestSummariesAreOurOwnWords(t *testing.T) {
	t.Parallel()
	ours := decode[summaries](t, spec.Summaries())
	for _, name := range upstream.Files {
		source := upstream.Spec(t, name)
		if source == nil {
			return
		}
		theirs := " " + strings.Join(words(string(source)), " ") + " "
		for _, group := range []map[string]string{ours.Operations, ours.Schemas} {
			for key, text := range group {
				run := words(text)
				for i := 0; i+5 <= len(run); i++ {
					if phrase := strings.Join(run[i:i+5], " "); strings.Contains(theirs, " "+phrase+" ") {
						t.Errorf("%s: %q is upstream's too (%s)", key, phrase, name)
					}
				}
			}
		}
	}
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}
