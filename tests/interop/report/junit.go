package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// ErrNoTests means that a report holds no test at all.
var ErrNoTests = errors.New("the report holds no test")

// testCase is the part of a report that JUnit's launcher and pytest share.
type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Skipped *message `xml:"skipped"`
	Failure *message `xml:"failure"`
	Error   *message `xml:"error"`
	Out     string   `xml:"system-out"`
}

type message struct {
	Attr string `xml:"message,attr"`
	Text string `xml:",chardata"`
}

// JUnit reads a report in JUnit's XML, however deep its suites are nested. It
// returns [ErrNoTests] for one without tests, and an error for one that is cut off.
func JUnit(r io.Reader) ([]Test, error) {
	decoder := xml.NewDecoder(r)
	var tests []Test
	seen := map[[2]string]int{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("JUnit report: %w", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "testcase" {
			continue
		}
		var c testCase
		if err := decoder.DecodeElement(&c, &start); err != nil {
			return nil, fmt.Errorf("JUnit report: %w", err)
		}
		// pytest reports a test whose clean-up failed twice: the failure counts.
		key := [2]string{c.Class, c.Name}
		if at, again := seen[key]; !again {
			seen[key] = len(tests)
			tests = append(tests, c.test())
		} else if test := c.test(); test.Outcome == Failed {
			tests[at] = test
		}
	}
	if len(tests) == 0 {
		return nil, ErrNoTests
	}
	return tests, nil
}

func (c testCase) test() Test {
	test := Test{Name: c.name(), Outcome: Passed}
	switch {
	case c.Error != nil:
		test.Outcome, test.Detail = Failed, c.Error.detail()
	case c.Failure != nil:
		test.Outcome, test.Detail = Failed, c.Failure.detail()
	case c.Skipped != nil:
		test.Outcome, test.Detail = Skipped, c.Skipped.reason()
	}
	return test
}

var (
	// invocation is how JUnit's report calls one run of a test with parameters;
	// the name that the test gave to it stands in its output.
	invocation  = regexp.MustCompile(`^(\w+)\(.*\)\[\d+\]$`)
	displayName = regexp.MustCompile(`(?m)^display-name: (.*)$`)
	parameters  = regexp.MustCompile(`^(\w+)\([^)]*\)$`)
)

func (c testCase) name() string {
	if m := invocation.FindStringSubmatch(c.Name); m != nil {
		if shown := displayName.FindStringSubmatch(c.Out); shown != nil {
			return m[1] + ": " + shown[1]
		}
	}
	return parameters.ReplaceAllString(c.Name, "$1")
}

// detail is what the test said first, without the stack below it.
func (m message) detail() string {
	text := strings.TrimSpace(m.Attr)
	if text == "" {
		text, _, _ = strings.Cut(strings.TrimSpace(m.Text), "\n\tat ")
	}
	return strings.TrimSpace(text)
}

// assumption is what AssertJ and JUnit put before the reason of a skip.
var assumption = regexp.MustCompile(`^(?:[\w.]+Exception: )?(?:assumption was not met due to: ?)?(?:Assumption failed: ?)?`)

// reason is why a test was skipped, in its own words where it has any.
func (m message) reason() string {
	text := m.detail()
	said := assumption.FindString(text)
	first, _, _ := strings.Cut(text[len(said):], "\n")
	first = strings.TrimSpace(first)
	if strings.HasPrefix(first, "[") && strings.HasSuffix(first, "]") {
		first = first[1 : len(first)-1]
	}
	if first == "" {
		return "an assumption of the test, without words"
	}
	return first
}
