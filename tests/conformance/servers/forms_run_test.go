package servers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
)

// TestForms plays the whole kit against each form. Nothing may fail, and nothing
// stay open that the kit could have judged.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			target := conformance.Target{URL: f.start(t), Token: token, SecondToken: otherToken}
			report, err := conformance.Run(t.Context(), target, conformance.Options{})
			if err != nil {
				t.Fatal(err)
			}
			hold(t, report)
		})
	}
}

// hold fails the test for every result that is neither a pass nor expected.
func hold(t *testing.T, report *conformance.Report) {
	t.Helper()
	t.Logf("%d passed, %d failed, %d unclear, %d skipped, %d not offered, in %v", report.Count(conformance.Pass),
		report.Count(conformance.Fail), report.Count(conformance.Unclear), report.Count(conformance.Skipped),
		report.Count(conformance.NotOffered), report.Took)
	for _, r := range report.Results {
		if !asExpected(r) {
			t.Errorf("%s", describe(r))
		}
	}
	for _, left := range report.Leftovers {
		t.Errorf("left behind: %s", left)
	}
	if report.Interrupted {
		t.Error("the run was interrupted")
	}
}

// describe shows a result with what led to it.
func describe(r conformance.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s (%s): %s: %s", r.Operation, r.Case, r.Level, r.Verdict, r.Finding)
	for _, e := range r.Exchanges {
		fmt.Fprintf(&b, "\n    %s %s key %s %s: %d %s %s %s", e.Method, e.Path, e.Key, e.Note, e.Status, e.RetryAfter, e.Error, e.Body)
	}
	return b.String()
}
