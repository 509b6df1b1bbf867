package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Text prints a table of counts, then why tests were skipped, then what failed.
func Text(w io.Writer, suites []Suite) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "server\tsuite\ttests\trun\tpassed\tfailed\tskipped\ttime\t")
	for _, s := range suites {
		verdict := "ok"
		if !s.OK() {
			verdict = "FAILED"
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", s.Server, s.Name, len(s.Tests), s.Run(),
			s.Count(Passed), s.Count(Failed), s.Count(Skipped), s.Took.Round(100*time.Millisecond), verdict)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, s := range suites {
		skips(&b, s)
	}
	for _, s := range suites {
		failures(&b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// skips lists the skipped tests of a suite under their reasons.
func skips(b *strings.Builder, s Suite) {
	var reasons []string
	names := map[string][]string{}
	for _, test := range s.With(Skipped) {
		if names[test.Detail] == nil {
			reasons = append(reasons, test.Detail)
		}
		names[test.Detail] = append(names[test.Detail], test.Name)
	}
	for _, reason := range reasons {
		fmt.Fprintf(b, "skipped, %s, %s: %s (%s)\n", s.Server, s.Name, strings.Join(names[reason], ", "), reason)
	}
}

// failures says what failed, and why the suite cannot be believed.
func failures(b *strings.Builder, s Suite) {
	if s.Err != "" {
		fmt.Fprintf(b, "FAILED, %s, %s: %s\n", s.Server, s.Name, s.Err)
	}
	for _, test := range s.With(Failed) {
		fmt.Fprintf(b, "FAILED, %s, %s: %s\n", s.Server, s.Name, test.Name)
		for line := range strings.Lines(test.Detail) {
			fmt.Fprintf(b, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
}

// summary is a suite as programs read it.
type summary struct {
	Server  string  `json:"server"`
	Suite   string  `json:"suite"`
	OK      bool    `json:"ok"`
	Error   string  `json:"error,omitempty"`
	Tests   int     `json:"tests"`
	Run     int     `json:"run"`
	Passed  int     `json:"passed"`
	Failed  int     `json:"failed"`
	Skipped int     `json:"skipped"`
	Seconds float64 `json:"seconds"`
	// Notable are the tests that did not pass.
	Notable []Test `json:"notable,omitempty"`
}

// JSON prints an array with an object for every suite: its counts, and every
// test that did not pass.
func JSON(w io.Writer, suites []Suite) error {
	summaries := make([]summary, len(suites))
	for i, s := range suites {
		summaries[i] = summary{
			Server: s.Server, Suite: s.Name, OK: s.OK(), Error: s.Err,
			Tests: len(s.Tests), Run: s.Run(), Passed: s.Count(Passed), Failed: s.Count(Failed), Skipped: s.Count(Skipped),
			Seconds: s.Took.Seconds(), Notable: append(s.With(Failed), s.With(Skipped)...),
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(summaries)
}

func byName(a, b Test) int { return cmp.Compare(a.Name, b.Name) }
