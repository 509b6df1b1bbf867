package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/report"
	"github.com/onceberg/onceberg/internal/upstream"
)

var update = flag.Bool("update", false, "write the golden files anew")

// analyze reads a case's configuration and the document it names.
func analyze(t *testing.T, dir string) *generator.Analysis {
	t.Helper()
	config, err := generator.ReadConfig(filepath.Join(dir, "onceberg.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := generator.ReadSpec(config.Spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := generator.Analyze(spec, config)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func written(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Each folder in testdata is a case: a configuration, the document that it
// names, and the three forms of the report on it.
func TestGolden(t *testing.T) {
	t.Parallel()
	configs, err := filepath.Glob("testdata/*/onceberg.yaml")
	if err != nil || len(configs) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, config := range configs {
		dir := filepath.Dir(config)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			r := report.New(analyze(t, dir))
			for name, write := range map[string]func(io.Writer) error{
				"report.txt": r.WriteText, "report.json": r.WriteJSON, "report.html": r.WriteHTML,
			} {
				compare(t, filepath.Join(dir, name), written(t, write))
			}
		})
	}
}

func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestSameInputSameBytes(t *testing.T) {
	t.Parallel()
	for _, form := range []struct {
		name  string
		write func(report.Report, io.Writer) error
	}{
		{"text", report.Report.WriteText}, {"json", report.Report.WriteJSON}, {"html", report.Report.WriteHTML},
	} {
		once := func() []byte {
			r := report.New(analyze(t, "testdata/shop"))
			return written(t, func(w io.Writer) error { return form.write(r, w) })
		}
		first := once()
		for range 10 {
			if !bytes.Equal(first, once()) {
				t.Errorf("two %s reports on one document differ", form.name)
			}
		}
	}
}

// The JSON is a promise to programs, so its members are listed here once more.
func TestJSONHasThePromisedMembersAndNoNulls(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"testdata/shop", "testdata/reads"} {
		text := written(t, report.New(analyze(t, dir)).WriteJSON)
		var got struct {
			Spec       map[string]any
			Operations []map[string]any
			Repairs    []map[string]any
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(": null")) || bytes.Contains(text, []byte(`\u003c`)) || !bytes.HasSuffix(text, []byte("}\n")) {
			t.Errorf("%s: a null, an escaped character or no newline at the end:\n%s", dir, text)
		}
		members(t, got.Spec, "declaring", "file", "idempotent", "key_header", "openapi", "operations", "sha256", "title", "version")
		for _, op := range got.Operations {
			members(t, op, "declared_at", "final_statuses", "id", "idempotent", "method", "path", "released_statuses", "secret_fields", "state_unknown")
		}
		for _, repair := range got.Repairs {
			members(t, repair, "name", "pointer", "reason")
		}
	}
}

func members(t *testing.T, object map[string]any, want ...string) {
	t.Helper()
	got := map[string]bool{}
	for name := range object {
		got[name] = true
	}
	wanted := map[string]bool{}
	for _, name := range want {
		wanted[name] = true
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

func TestUpstreamCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file                              string
		operations, declaring, idempotent int
		also                              []string
		counts                            string
	}{
		{"iceberg-main-2026-08-21.yaml", 35, 17, 18, []string{"createView"}, "35 operations, 17 declare Idempotency-Key, 18 idempotent"},
		{"iceberg-1.11.0.yaml", 32, 16, 16, nil, "32 operations, 16 declare Idempotency-Key, 16 idempotent"},
		{"iceberg-1.6.1.yaml", 25, 0, 0, nil, "25 operations, 0 declare Idempotency-Key, 0 idempotent"},
	} {
		spec := upstream.Spec(t, c.file)
		if spec == nil {
			return
		}
		a, err := generator.Analyze(spec, generator.Config{Spec: c.file, Also: c.also})
		if err != nil {
			t.Fatal(err)
		}
		r := report.New(a)
		if r.Spec.Operations != c.operations || r.Spec.Declaring != c.declaring || r.Spec.Idempotent != c.idempotent {
			t.Errorf("%s: %s", c.file, r.Spec.Counts())
		}
		if got := r.Spec.Counts(); got != c.counts {
			t.Errorf("%s: %q, want %q", c.file, got, c.counts)
		}
		if text := written(t, r.WriteText); !strings.Contains(string(text), "\n"+c.counts+"\n") {
			t.Errorf("%s: the text does not say %q", c.file, c.counts)
		}
	}
}

// What the document says is text on the page, never markup, and the page asks
// for nothing from elsewhere.
func TestPageIsSelfContained(t *testing.T) {
	t.Parallel()
	text := written(t, report.New(analyze(t, "testdata/shop")).WriteHTML)
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	ids, links := map[string]bool{}, []string{}
	for n := range root.Descendants() {
		switch n.Data {
		case "script", "link", "img", "iframe", "object", "form":
			if n.Type == html.ElementNode {
				t.Errorf("the page has a %s element", n.Data)
			}
		case "h1":
			if got := textOf(n); !strings.HasPrefix(got, "Shop & <b>Sons</b>") {
				t.Errorf("title reads %q", got)
			}
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "href":
				links = append(links, a.Val)
			case a.Key == "src", strings.HasPrefix(a.Key, "on"):
				t.Errorf("the page has an attribute %s=%q", a.Key, a.Val)
			}
		}
	}
	if len(links) == 0 {
		t.Error("the page links to none of its parts")
	}
	for _, link := range links {
		if !strings.HasPrefix(link, "#") || !ids[link[1:]] {
			t.Errorf("link %q leads to no part of the page", link)
		}
	}
	if bytes.Contains(text, []byte("url(")) || bytes.Contains(text, []byte("@import")) || bytes.Contains(text, []byte("ZgotmplZ")) {
		t.Error("the style loads something, or was refused")
	}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// broken is a terminal that went away.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrorsAreReturned(t *testing.T) {
	t.Parallel()
	r := report.New(analyze(t, "testdata/reads"))
	for _, write := range []func(io.Writer) error{r.WriteText, r.WriteJSON, r.WriteHTML} {
		if err := write(broken{}); err == nil {
			t.Error("no error from a writer that fails")
		}
	}
}
