//go:build interop

package interop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/tests/interop/report"
)

// suiteTimeout bounds one suite. The kit's catalog tests take less than a minute
// on an idle machine.
const suiteTimeout = 20 * time.Minute

// TestInterop runs every suite on a fresh server of every subject.
func TestInterop(t *testing.T) {
	for _, subject := range subjects() {
		t.Run(subject.name, func(t *testing.T) {
			for _, suite := range suites(subject) {
				t.Run(suite.name, func(t *testing.T) { try(t, subject, suite) })
			}
		})
	}
}

// try runs a suite on a server and holds it to what is expected of it.
func try(t *testing.T, subject subject, suite suite) {
	dir := filepath.Join(*out, subject.name, suite.name)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), suiteTimeout)
	defer cancel()
	result := report.Suite{Server: subject.name, Name: suite.name, Err: "the server did not start"}
	defer func() { results.add(result) }()
	r := run{subject: subject, dir: dir}
	r.server = subject.start(t, r)
	began := time.Now()
	result.Tests, err = suite.run(ctx, t, r)
	result.Took, result.Err = time.Since(began), ""
	if err != nil {
		result.Err = err.Error()
	}
	judge(&result, subject.differs[suite.name], suite)
	if result.OK() {
		return
	}
	var b strings.Builder
	if err := report.Text(&b, []report.Suite{result}); err != nil {
		t.Error(err)
	}
	t.Errorf("%s\nmore in %s", b.String(), dir)
}

// judge turns the failures that are known of the server into skips with their
// reason, and finds what a suite kept quiet: known failures that are gone,
// unexpected skips, and tests that did not run at all.
func judge(result *report.Suite, known map[string]string, suite suite) {
	var problems []string
	if result.Err != "" {
		problems = append(problems, result.Err)
	}
	for i, test := range result.Tests {
		reason, expected := known[test.Name]
		switch {
		case expected && test.Outcome == report.Failed:
			result.Tests[i].Outcome, result.Tests[i].Detail = report.Skipped, "known to fail: "+reason
		case expected && test.Outcome == report.Passed:
			problems = append(problems, fmt.Sprintf("%s is listed as failing here and passes", test.Name))
		case test.Outcome == report.Skipped && !expected && !slices.Contains(suite.skips, test.Name):
			problems = append(problems, fmt.Sprintf("%s was skipped and is not among the tests that may be", test.Name))
		}
	}
	if len(result.Tests) < suite.atLeast {
		problems = append(problems, fmt.Sprintf("%d tests where %d are known", len(result.Tests), suite.atLeast))
	}
	result.Err = strings.Join(problems, "\n")
}
