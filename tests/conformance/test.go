package conformance

import (
	"cmp"
	"testing"
)

// Test runs the kit within a Go test: a subtest for each operation, and in it one
// for each case, so that go test's own -run and reports work on them. What the
// specification requires or implies fails the test; what is good practice is
// logged. At most one Options counts.
func Test(t *testing.T, target Target, options ...Options) {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	report, err := Run(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range append([]Operation{{ID: ServerWide}}, report.Operations...) {
		t.Run(op.ID, func(t *testing.T) {
			for _, c := range report.Cases {
				if result := report.result(op.ID, c.ID); result != nil {
					t.Run(c.ID, func(t *testing.T) { result.tell(t, c) })
				}
			}
		})
	}
	for _, left := range report.Leftovers {
		t.Logf("left behind: %s", left)
	}
	if report.ExitCode() == 2 && !t.Failed() {
		t.Errorf("too little could be judged: %d results, %d passed, %d unclear; %s",
			len(report.Results), report.Count(Pass), report.Count(Unclear), cmp.Or(report.Gone, "the server could be reached"))
	}
}

// tell passes a result on to a test.
func (r *Result) tell(t *testing.T, c Case) {
	t.Helper()
	switch {
	case r.Breaks(), r.Verdict == Unclear && r.Level != Quality:
		t.Errorf("%s (%s): %s\n%s", r.Verdict, r.Level, r.Finding, r.story(c))
	case r.Verdict == Skipped, r.Verdict == NotOffered:
		t.Skip(r.Finding)
	case r.Finding != "":
		t.Logf("%s (%s): %s", r.Verdict, r.Level, r.Finding)
	}
}
