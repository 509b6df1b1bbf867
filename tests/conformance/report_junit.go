package conformance

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`

	took time.Duration
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Time    string      `xml:"time,attr"`
	Failure *junitStory `xml:"failure,omitempty"`
	Error   *junitStory `xml:"error,omitempty"`
	Skipped *junitStory `xml:"skipped,omitempty"`
	Out     string      `xml:"system-out,omitempty"`
}

type junitStory struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit's XML, a suite for each operation. A
// failure is what fails a run; good practice that is missed is told on the
// standard output of a test that passes, and what could not be judged is an
// error.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "conform " + r.Server, Time: seconds(r.Took)}
	for _, op := range append([]Operation{{ID: ServerWide}}, r.Operations...) {
		suite := junitSuite{Name: op.ID}
		for _, c := range r.Cases {
			if result := r.result(op.ID, c.ID); result != nil {
				suite.add(c, result)
			}
		}
		if suite.Tests == 0 {
			continue
		}
		suite.Time = seconds(suite.took)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Skipped += suite.Skipped
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", xml.Header, text); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (s *junitSuite) add(c Case, r *Result) {
	s.Tests++
	s.took += r.Duration
	test := junitCase{Name: c.ID, Class: "conform." + r.Operation, Time: seconds(r.Duration)}
	story := &junitStory{Type: string(r.Level), Message: r.Finding, Text: r.story(c)}
	switch {
	case r.Breaks():
		s.Failures++
		test.Failure = story
	case r.Verdict == Unclear:
		s.Errors++
		test.Error = story
	case r.Verdict == Skipped, r.Verdict == NotOffered:
		s.Skipped++
		test.Skipped = &junitStory{Message: r.Finding}
	case r.Finding != "":
		test.Out = r.Finding
	}
	s.Cases = append(s.Cases, test)
}

// story is a result in some lines of text: the sentence and the exchanges.
func (r *Result) story(c Case) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%q (%s)\n", c.Sentence, c.Place)
	for _, e := range r.Exchanges {
		text.WriteString(e.String() + "\n")
	}
	return text.String()
}

// String shows an exchange on one line.
func (e Exchange) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s", e.Method, e.Path)
	if e.Key != "" {
		fmt.Fprintf(&text, " key %s", e.Key)
	}
	if e.Note != "" {
		fmt.Fprintf(&text, " (%s)", e.Note)
	}
	switch {
	case e.Error != "":
		fmt.Fprintf(&text, ": %s", e.Error)
	default:
		fmt.Fprintf(&text, ": %d", e.Status)
	}
	if e.RetryAfter != "" {
		fmt.Fprintf(&text, ", Retry-After %s", e.RetryAfter)
	}
	if e.Body != "" {
		fmt.Fprintf(&text, " %s", e.Body)
	}
	return text.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
