package conformance_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/onceberg/onceberg/tests/conformance"
)

var update = flag.Bool("update", false, "write the golden files anew")

// canned is a report with a result of each kind.
func canned() *conformance.Report {
	result := func(op, kind string, level conformance.Level, v conformance.Verdict, finding string, exchanges ...conformance.Exchange) conformance.Result {
		return conformance.Result{
			Operation: op, Case: kind, Level: level, Verdict: v, Finding: finding, Exchanges: exchanges, Duration: 1500 * time.Millisecond,
		}
	}
	const path, key = "/v1/namespaces/conform_x_1a/tables", "019ad9a4-0000-7000-8000-000000000001"
	return &conformance.Report{
		Server: "http://catalog.example", Started: time.Date(2026, 12, 1, 2, 3, 4, 0, time.UTC), Took: 4321 * time.Millisecond,
		Lifetime: "PT30M", Cases: conformance.Cases(),
		Operations: []conformance.Operation{
			{ID: "createTable", Method: "POST", Path: "/v1/{prefix}/namespaces/{namespace}/tables", Offered: true},
			{ID: "dropView", Method: "DELETE", Path: "/v1/{prefix}/namespaces/{namespace}/views/{view}"},
		},
		Results: []conformance.Result{
			result("server", "lifetime", conformance.Must, conformance.Pass, ""),
			result("server", "lifetime-java", conformance.Quality, conformance.Fail, `it is "P1W"`),
			result("createTable", "replay", conformance.Must, conformance.Pass, "a remark"),
			result("createTable", "twins", conformance.Must, conformance.Fail, "8 twins were answered <b>otherwise</b>",
				conformance.Exchange{Method: "POST", Path: path, Key: key, Note: "twin 1", Status: 200, Body: `{"name":"<script>"}`},
				conformance.Exchange{Method: "POST", Path: path, Key: key, Note: "twin 2", Status: 409, RetryAfter: "1"},
				conformance.Exchange{Method: "POST", Path: path, Key: key, Note: "twin 3", Error: "no answer within 30s"}),
			result("createTable", "refusal", conformance.Must, conformance.Unclear, "reading the catalog: 500"),
			result("createTable", "etag", conformance.Quality, conformance.Skipped, "the answer has no ETag"),
			result("dropView", "replay", conformance.Must, conformance.NotOffered, "the server does not advertise the operation"),
		},
		Leftovers: []string{"namespace conform_x_1a: 500 Internal Server Error"},
	}
}

func written(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestJSONHoldsTheReport(t *testing.T) {
	t.Parallel()
	want := canned()
	var got struct {
		conformance.Report
		Summary conformance.Summary `json:"summary"`
	}
	if err := json.Unmarshal(written(t, want.WriteJSON), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, &got.Report); diff != "" {
		t.Error(diff)
	}
	counts := conformance.Summary{Pass: 2, Fail: 1, Quality: 1, Unclear: 1, Skipped: 1, NotOffered: 1}
	if got.Summary != counts {
		t.Errorf("the summary is %+v", got.Summary)
	}
}

func TestJUnitIsAsItWas(t *testing.T) {
	t.Parallel()
	const golden = "testdata/junit.xml"
	got := written(t, canned().WriteJUnit)
	if *update {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

// The page has a cell for each operation and case, every link in it leads
// somewhere, and nothing that a server said is markup.
func TestPage(t *testing.T) {
	t.Parallel()
	r := canned()
	document, err := html.Parse(bytes.NewReader(written(t, r.WriteHTML)))
	if err != nil {
		t.Fatal(err)
	}
	ids, links, cells := map[string]bool{}, []string{}, 0
	for node := range document.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		if node.Data == "script" || node.Data == "b" && node.FirstChild != nil && node.FirstChild.Data == "otherwise" {
			t.Errorf("the server's text became <%s>", node.Data)
		}
		if node.Data == "td" && has(node.Parent.Parent.Parent, "class", "matrix") {
			cells++
		}
		for _, a := range node.Attr {
			switch {
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "href":
				links = append(links, strings.TrimPrefix(a.Val, "#"))
			}
		}
	}
	columns := 0
	for _, c := range r.Cases {
		if !c.Server {
			columns++
		}
	}
	if cells != columns*len(r.Operations) {
		t.Errorf("%d cells for %d operations and %d cases", cells, len(r.Operations), columns)
	}
	for _, link := range links {
		if !ids[link] {
			t.Errorf("the link to #%s leads nowhere", link)
		}
	}
	for _, id := range []string{"server-lifetime-java", "createTable-twins", "createTable-refusal"} {
		if !ids[id] {
			t.Errorf("the page tells nothing of %s", id)
		}
	}
}

func has(node *html.Node, key, value string) bool {
	for _, a := range node.Attr {
		if a.Key == key && a.Val == value {
			return true
		}
	}
	return false
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	fail := conformance.Result{Verdict: conformance.Fail, Level: conformance.Should}
	short := conformance.Result{Verdict: conformance.Fail, Level: conformance.Quality}
	pass := conformance.Result{Verdict: conformance.Pass, Level: conformance.Must}
	unclear := conformance.Result{Verdict: conformance.Unclear, Level: conformance.Must}
	absent := conformance.Result{Verdict: conformance.NotOffered, Level: conformance.Must}
	cases := map[string]struct {
		report conformance.Report
		want   int
	}{
		"all pass":                {conformance.Report{Results: []conformance.Result{pass, absent}}, 0},
		"good practice missed":    {conformance.Report{Results: []conformance.Result{pass, short}}, 0},
		"a broken promise":        {conformance.Report{Results: []conformance.Result{pass, fail, unclear}}, 1},
		"unclear":                 {conformance.Report{Results: []conformance.Result{pass, unclear}}, 2},
		"nothing promised":        {conformance.Report{Results: []conformance.Result{{Verdict: conformance.Pass, Operation: "server"}, absent}}, 2},
		"nothing judged":          {conformance.Report{Results: []conformance.Result{absent}}, 2},
		"no operation judged":     {conformance.Report{Lifetime: "PT3S", Results: []conformance.Result{{Verdict: conformance.Pass, Operation: "server"}, absent}}, 2},
		"no operation asked":      {conformance.Report{Lifetime: "PT3S", Results: []conformance.Result{{Verdict: conformance.Pass, Operation: "server"}}}, 0},
		"nothing required judged": {conformance.Report{Results: []conformance.Result{{Verdict: conformance.Pass, Level: conformance.Should}, {Verdict: conformance.Skipped, Level: conformance.Must}}}, 2},
		"nothing required asked":  {conformance.Report{Results: []conformance.Result{{Verdict: conformance.Pass, Level: conformance.Should}}}, 0},
		"the server is gone":      {conformance.Report{Results: []conformance.Result{pass}, Gone: "refused"}, 2},
		"ended before its end":    {conformance.Report{Results: []conformance.Result{pass}, Interrupted: true}, 2},
		"broken and interrupted":  {conformance.Report{Results: []conformance.Result{fail}, Interrupted: true}, 1},
	}
	for name, c := range cases {
		if got := c.report.ExitCode(); got != c.want {
			t.Errorf("%s: exit code %d, want %d", name, got, c.want)
		}
	}
}
