package diff_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/diff"
	"github.com/onceberg/onceberg/generator/document"
)

var update = flag.Bool("update", false, "write the golden files anew")

func analyze(t testing.TB, file string, spec []byte) *generator.Analysis {
	t.Helper()
	a, err := generator.Analyze(spec, generator.Config{Spec: file})
	if err != nil {
		t.Fatalf("%v\n%s", err, spec)
	}
	return a
}

func readAnalysis(t *testing.T, path string) *generator.Analysis {
	t.Helper()
	spec, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return analyze(t, filepath.Base(path), spec)
}

// lines writes each change in one line: kind, who breaks, where, what it says.
func lines(d diff.Diff) []string {
	list := []string{}
	for _, c := range d.Changes {
		who := "nobody"
		if len(c.Breaks) > 0 {
			who = strings.Trim(fmt.Sprint(c.Breaks), "[]")
		}
		where := c.Operation
		if c.Component != "" {
			where = fmt.Sprintf("%s in %s", c.Component.Last(), strings.Join(c.Operations, " "))
		}
		list = append(list, fmt.Sprintf("%s | %s | %s | %s", c.Kind, who, where, c.Text))
	}
	return list
}

func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// Each folder in testdata/golden is a case: two documents and the two forms of
// the comparison.
func TestGolden(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			d := diff.Compare(readAnalysis(t, filepath.Join(dir, "old.yaml")), readAnalysis(t, filepath.Join(dir, "new.yaml")))
			golden(t, filepath.Join(dir, "diff.txt"), text(t, d.WriteText))
			golden(t, filepath.Join(dir, "diff.json"), text(t, d.WriteJSON))
		})
	}
}

// The JSON is a promise to programs, so its members are listed here once more.
func TestJSONHasThePromisedMembersAndNoNulls(t *testing.T) {
	t.Parallel()
	dir := "testdata/golden/shop"
	for _, d := range []diff.Diff{
		diff.Compare(readAnalysis(t, dir+"/old.yaml"), readAnalysis(t, dir+"/new.yaml")),
		diff.Compare(readAnalysis(t, dir+"/old.yaml"), readAnalysis(t, dir+"/old.yaml")),
	} {
		form := text(t, d.WriteJSON)
		var got struct {
			Old, New map[string]any
			Changes  []map[string]any
		}
		decoder := json.NewDecoder(strings.NewReader(form))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(form, ": null") || strings.Contains(form, `\u003c`) || !strings.HasSuffix(form, "}\n") {
			t.Errorf("a null, an escaped character or no newline at the end:\n%s", form)
		}
		for _, c := range got.Changes {
			for _, name := range []string{"kind", "severity", "breaks", "operation", "component", "pointer", "operations", "text"} {
				if _, ok := c[name]; !ok {
					t.Errorf("a change has no %s: %v", name, c)
				}
			}
			if len(c) != 8 {
				t.Errorf("a change has members that are not promised: %v", c)
			}
		}
	}
}

func TestSeverityFollowsFromWhoBreaks(t *testing.T) {
	t.Parallel()
	d := diff.Compare(readAnalysis(t, "testdata/golden/shop/old.yaml"), readAnalysis(t, "testdata/golden/shop/new.yaml"))
	breaking := 0
	for _, c := range d.Changes {
		if (c.Severity == diff.Breaking) != (len(c.Breaks) > 0) {
			t.Errorf("%s breaks %v and is %s", c.Kind, c.Breaks, c.Severity)
		}
		if c.Severity == diff.Breaking {
			breaking++
		}
	}
	if breaking == 0 || d.Breaking() != breaking {
		t.Errorf("Breaking() = %d, but %d changes are", d.Breaking(), breaking)
	}
}

// checkPointers holds each change to its promise: the pointer leads somewhere in
// the document that its kind says.
func checkPointers(t *testing.T, d diff.Diff, old, new *document.Document) {
	t.Helper()
	for _, c := range d.Changes {
		doc := new
		if k := string(c.Kind); strings.HasSuffix(k, "-removed") || strings.HasSuffix(k, "-lost") {
			doc = old
		}
		if doc.Lookup(c.Pointer) == nil {
			t.Errorf("%s: the pointer %s leads nowhere", c.Kind, c.Pointer)
		}
		if len(c.Operations) == 0 || (c.Operation == "") == (c.Component == "") {
			t.Errorf("%s: operation %q, component %q, operations %v", c.Kind, c.Operation, c.Component, c.Operations)
		}
	}
}

// broken is a terminal that went away.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrorsAreReturned(t *testing.T) {
	t.Parallel()
	a := readAnalysis(t, "testdata/golden/shop/old.yaml")
	d := diff.Compare(a, a)
	if !d.Empty() {
		t.Errorf("a document differs from itself: %v", lines(d))
	}
	for _, write := range []func(io.Writer) error{d.WriteText, d.WriteJSON} {
		if err := write(broken{}); err == nil {
			t.Error("no error from a writer that fails")
		}
	}
}
