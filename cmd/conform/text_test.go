package main

import (
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
)

// canned is a report with a result of each kind.
func canned() *conformance.Report {
	r := &conformance.Report{
		Server: "http://catalog.example", Took: 4321 * time.Millisecond, Lifetime: "PT30M", Cases: conformance.Cases(),
		Operations: []conformance.Operation{{ID: "commitTransaction", Offered: true}, {ID: "dropView"}},
		Leftovers:  []string{"namespace conform_x_1a: 500 Internal Server Error"},
	}
	add := func(op, kind string, level conformance.Level, v conformance.Verdict, finding string, exchanges ...conformance.Exchange) {
		r.Results = append(r.Results, conformance.Result{
			Operation: op, Case: kind, Level: level, Verdict: v, Finding: finding, Exchanges: exchanges,
		})
	}
	add("server", "lifetime", conformance.Must, conformance.Pass, "")
	add("server", "lifetime-java", conformance.Quality, conformance.Fail, `idempotency-key-lifetime is "P1W"`)
	add("commitTransaction", "replay", conformance.Must, conformance.Pass, "")
	add("commitTransaction", "twins", conformance.Must, conformance.Fail, strings.Repeat("said at length ", 20),
		conformance.Exchange{Method: "POST", Path: "/v1/transactions/commit", Key: "019ad9a4-0000-7000-8000-000000000001", Note: "twin 1", Status: 204},
		conformance.Exchange{
			Method: "POST", Path: "/v1/transactions/commit", Key: "019ad9a4-0000-7000-8000-000000000001", Note: "twin 2", Status: 409,
			Body: `{"error":{"message":"Requirement failed: current schema changed","type":"CommitFailedException","code":409}}`,
		})
	add("commitTransaction", "refusal", conformance.Must, conformance.Unclear, "reading the catalog: 500")
	add("commitTransaction", "etag", conformance.Quality, conformance.Skipped, "the answer has no ETag")
	add("dropView", "replay", conformance.Must, conformance.NotOffered, "the server does not advertise the operation")
	add("dropView", "twins", conformance.Must, conformance.NotOffered, "the server does not advertise the operation")
	return r
}

func TestTextIsAsItWas(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := writeReport(&out, canned(), plain); err != nil {
		t.Fatal(err)
	}
	compare(t, "report.txt", out.String())
	for line := range strings.Lines(out.String()) {
		if len([]rune(line)) > width+1 {
			t.Errorf("longer than %d columns: %s", width, line)
		}
	}
}

// What a run came to is said of what was asked, and a server that is gone is said
// to be, once.
func TestLastLines(t *testing.T) {
	t.Parallel()
	pass := []conformance.Result{{Operation: "dropView", Case: "replay", Level: conformance.Must}}
	pass[0].Verdict = conformance.Pass
	for want, r := range map[string]*conformance.Report{
		"\nThe server keeps the promise.\n":                   {Results: pass},
		"\nThe server keeps the promise in what was asked.\n": {Results: pass, Only: []string{"dropView/replay"}},
		"\nThe server could no longer be reached, and the run was given up: connection refused\n" +
			"Too little could be judged to say whether the server keeps the promise.\n": {Results: pass, Gone: "connection refused"},
	} {
		var out strings.Builder
		if err := writeReport(&out, r, plain); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), want) {
			t.Errorf("it does not end in %q: %s", want, out.String())
		}
	}
}

// The live table is redrawn in place, and is gone at the end.
func TestScreen(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	s := &screen{out: &out, live: true, paint: coloured, table: newMatrix(nil)}
	results := canned().Results
	for i, r := range results {
		s.show(r, i+1, len(results))
	}
	s.end()
	text := out.String()
	drawn := strings.Count(text, " of 8\n")
	if drawn != len(results) || strings.Count(text, "\x1b[J") != drawn {
		t.Errorf("drawn %d times, erased %d times", drawn, strings.Count(text, "\x1b[J"))
	}
	if !strings.Contains(text, "\x1b[31m✗\x1b[0m") || !strings.HasSuffix(text, "A\x1b[J") {
		t.Errorf("the last of it: %q", text[len(text)-40:])
	}
	if newScreen(&out, &out).live {
		t.Error("what is no terminal is drawn on")
	}
}
