package specimport_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/onceberg/onceberg/generator/specimport"
	"github.com/onceberg/onceberg/internal/upstream"
)

func TestImportOfUpstream(t *testing.T) {
	t.Parallel()
	wantOperations := map[string]string{
		"iceberg-main-2026-08-21.yaml": "# operations: 35, of which 17 declare Idempotency-Key\n",
		"iceberg-1.11.0.yaml":          "# operations: 32, of which 16 declare Idempotency-Key\n",
		"iceberg-1.6.1.yaml":           "# operations: 25, of which 0 declare Idempotency-Key\n",
	}
	for _, name := range upstream.Files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := upstream.Spec(t, name)
			if source == nil {
				return
			}
			imported, err := specimport.Import("api.yaml", source, iceberg)
			if err != nil {
				t.Fatal(err)
			}
			if want := wantOperations[name]; !strings.Contains(string(imported), want) {
				t.Errorf("the header lacks %q", want)
			}
			if diff := cmp.Diff(withoutProse(decoded(t, source)), withoutProse(decoded(t, imported))); diff != "" {
				t.Errorf("facts changed (-upstream +imported)\n%s", diff)
			}
			again, err := specimport.Import("api.yaml", imported, iceberg)
			if err != nil || !bytes.Equal(again, imported) {
				t.Errorf("importing the import changed it (error: %v)", err)
			}
			assertNoProse(t, source, imported)
		})
	}
}

// assertNoProse checks that no sentence of a description, a summary or a comment
// of the source is in the imported document, and no example's key either.
func assertNoProse(t *testing.T, source, imported []byte) {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal(source, &root); err != nil {
		t.Fatal(err)
	}
	sentences := proseOf(&root)
	for comment := range strings.Lines(string(source)) {
		if text := strings.Trim(comment, "# \n"); strings.HasPrefix(strings.TrimSpace(comment), "#") && len(strings.Fields(text)) >= 3 {
			sentences = append(sentences, oneLine(text))
		}
	}
	if len(sentences) < 200 {
		t.Errorf("found %d sentences in the source; the check has lost its subject", len(sentences))
	}
	have := oneLine(string(imported))
	for _, sentence := range sentences {
		if strings.Contains(have, sentence) {
			t.Errorf("upstream's words survive: %q", sentence)
		}
	}
	if rest := regexp.MustCompile(`(?m)^ +(description: [^']|summary: |examples?:\s|externalDocs:).*`).FindAll(factsOnly(imported), -1); rest != nil {
		t.Errorf("prose survives: %q", rest)
	}
}

// factsOnly leaves out the two schemas whose properties are named like prose.
func factsOnly(imported []byte) []byte {
	return regexp.MustCompile(`(?m)^ +summary:\n +type: object`).ReplaceAll(imported, nil)
}

var sentenceEnd = regexp.MustCompile(`[.!?;:]\s`)

// proseOf returns the sentences of three or more words below description and
// summary keys, on one line each.
func proseOf(n *yaml.Node) []string {
	var found []string
	for i, child := range n.Content {
		isProse := n.Kind == yaml.MappingNode && i%2 == 1 &&
			(n.Content[i-1].Value == "description" || n.Content[i-1].Value == "summary") && child.Kind == yaml.ScalarNode
		if !isProse {
			found = append(found, proseOf(child)...)
			continue
		}
		for _, sentence := range sentenceEnd.Split(oneLine(child.Value), -1) {
			if len(strings.Fields(sentence)) >= 3 {
				found = append(found, sentence)
			}
		}
	}
	return found
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
