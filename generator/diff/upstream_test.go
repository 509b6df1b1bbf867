package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/diff"
	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/specimport"
	"github.com/onceberg/onceberg/internal/upstream"
)

// upstreams analyses the upstream documents, oldest first; nil when they are not
// at hand.
func upstreams(t *testing.T) []*generator.Analysis {
	t.Helper()
	var list []*generator.Analysis
	for _, name := range slices.Backward(upstream.Files) {
		spec := upstream.Spec(t, name)
		if spec == nil {
			return nil
		}
		list = append(list, analyze(t, name, spec))
	}
	return list
}

// The golden files were read against the documents, change by change.
func TestUpstreamSteps(t *testing.T) {
	t.Parallel()
	list := upstreams(t)
	for i := 1; i < len(list); i++ {
		old, new := list[i-1], list[i]
		d := diff.Compare(old, new)
		golden(t, "testdata/upstream/"+strings.TrimSuffix(new.Read.File, ".yaml")+".txt", text(t, d.WriteText))
		checkPointers(t, d, old.Read, new.Read)
		checkBackwards(t, new.Read.File, d, diff.Compare(new, old))
		first := text(t, d.WriteJSON)
		for range 5 {
			if text(t, diff.Compare(old, new).WriteJSON) != first {
				t.Fatalf("%s: two comparisons of the same documents differ", new.Read.File)
			}
		}
	}
}

// Stripping a document of its prose is no change of the interface.
func TestUpstreamStrippedIsTheSame(t *testing.T) {
	t.Parallel()
	for _, a := range upstreams(t) {
		stripped, err := specimport.Import(a.Read.File, upstream.Spec(t, a.Read.File), specimport.Provenance{
			Repository: specimport.IcebergRepository, Revision: "0123abc", Path: specimport.IcebergPath,
		})
		if err != nil {
			t.Fatal(err)
		}
		d := diff.Compare(a, analyze(t, "stripped.yaml", stripped))
		if !d.Empty() {
			t.Errorf("%s and the same without prose: %q", a.Read.File, lines(d))
		}
	}
}

// stride picks every so manieth place, so that the test stays quick.
const stride = 13

// Whatever is taken out of the document has to show, wherever it was.
func TestEveryLossIsFound(t *testing.T) {
	t.Parallel()
	list := upstreams(t)
	if list == nil {
		return
	}
	a := list[len(list)-1]
	losses := lossesOf(a.Read)
	if len(losses) < 900 {
		t.Fatalf("only %d places to take something from", len(losses))
	}
	for i := 0; i < len(losses); i += stride {
		loss := losses[i]
		lost := *a
		lost.Read = a.Read.Clone()
		loss.take(lost.Read.Lookup(loss.from))
		d := diff.Compare(a, &lost)
		if d.Empty() {
			t.Errorf("%s/%s was taken away, and no difference is found", loss.from, loss.what)
		}
	}
}

// loss is one thing that can be taken out of a document.
type loss struct {
	from document.Pointer
	what string
	take func(*document.Node)
}

// lossesOf lists fields, media types, responses, parameters, values, types and
// arms. It passes by what is not part of the interface, and what another part of
// the document says as well: fields that tell variants apart, and the subtypes
// that a mapping names.
func lossesOf(d *document.Document) []loss {
	var list []loss
	member := func(p document.Pointer, name string) {
		list = append(list, loss{p, name, func(n *document.Node) { n.Delete(name) }})
	}
	d.WalkStructure(func(p document.Pointer, n *document.Node) {
		if n.Kind != document.Object || !strings.HasPrefix(string(p), "/paths/") && !inUse(p) {
			return
		}
		by := n.At("discriminator", "propertyName").Str()
		for name := range n.Get("properties").Members() {
			if name != by {
				member(p.To("properties"), name)
			}
		}
		for name := range n.Get("content").Members() {
			member(p.To("content"), name)
		}
		for _, keyword := range []string{"items", "maximum", "minimum", "enum", "const", "default", "uniqueItems"} {
			if n.Has(keyword) {
				member(p, keyword)
			}
		}
		for _, keyword := range []string{"enum", "oneOf", "anyOf", "parameters"} {
			for i := range n.Get(keyword).Elements() {
				if n.Has("discriminator") || keyword == "parameters" && isKey(d, n.Get(keyword).Items[i]) {
					continue
				}
				list = append(list, loss{p.To(keyword), "0", func(n *document.Node) { n.Items = slices.Delete(n.Items, i, i+1) }})
			}
		}
	})
	return list
}

func isKey(d *document.Document, parameter *document.Node) bool {
	return d.Resolve(parameter).Get("name").Str() == "Idempotency-Key"
}

// inUse passes by the components that no operation leads to.
func inUse(p document.Pointer) bool {
	tokens := p.Tokens()
	return len(tokens) > 2 && (tokens[1] == "schemas" || tokens[1] == "responses" || tokens[1] == "parameters") &&
		tokens[2] != "IcebergErrorResponse" && tokens[2] != "idempotency-key"
}
