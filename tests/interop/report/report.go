package report

import (
	"slices"
	"time"
)

// Outcome is how a test ended.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
)

// Test is one test of a suite.
type Test struct {
	// Name is the test's name as its own tools would show it.
	Name string `json:"name"`
	// Outcome is how it ended.
	Outcome Outcome `json:"outcome"`
	// Detail is why it was skipped, or what failed; empty for one that passed.
	Detail string `json:"detail,omitempty"`
}

// Suite is what a suite said about a server.
type Suite struct {
	// Server names what was tested.
	Server string
	// Name names the suite.
	Name string
	// Tests are all that it has, skipped ones too.
	Tests []Test
	// Took is how long it ran.
	Took time.Duration
	// Err says why the suite is not to be believed: it did not run, or not as it
	// was expected to. Empty where all is well.
	Err string
}

// Count returns how many tests ended so.
func (s Suite) Count(outcome Outcome) int { return len(s.With(outcome)) }

// Run returns how many tests were executed, those skipped left out.
func (s Suite) Run() int { return len(s.Tests) - s.Count(Skipped) }

// With returns the tests that ended so, sorted by name.
func (s Suite) With(outcome Outcome) []Test {
	var tests []Test
	for _, test := range s.Tests {
		if test.Outcome == outcome {
			tests = append(tests, test)
		}
	}
	slices.SortFunc(tests, byName)
	return tests
}

// OK reports whether the suite ran and nothing failed.
func (s Suite) OK() bool { return s.Err == "" && s.Count(Failed) == 0 && s.Count(Passed) > 0 }
