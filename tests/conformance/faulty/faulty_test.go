package faulty

import (
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/tests/conformance"
)

func TestMain(m *testing.M) {
	// Requests that are given up are logged, and here they are given up on purpose.
	slog.SetDefault(slog.New(slog.DiscardHandler))
	goleak.VerifyTestMain(m)
}

// some are operations that make, change and remove, with a body and without. A
// fault that shows on none of them is none, and all of them would take minutes.
// TestEveryOperationIsJudged goes through the others.
var some = []string{conformance.ServerWide, "createTable", "updateTable", "dropTable"}

// run plays the kit for some operations, or for all of them.
func run(t *testing.T, fault *Fault, only ...string) *conformance.Report {
	t.Helper()
	target := conformance.Target{URL: Start(t, fault), Token: Token, SecondToken: OtherToken}
	options := conformance.Options{Parallel: 8, Only: only, Patience: 3 * time.Second, LifetimeWait: 5 * time.Second}
	report, err := conformance.Run(t.Context(), target, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d results in %v", len(report.Results), report.Took)
	return report
}

// TestHonestServersPass holds that what the kit finds in a faulty server is the
// fault, and nothing of what they all share: neither the guard, nor the slowness or
// the trouble that shows a fault.
func TestHonestServersPass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		inside  middleware
		only    []string
		atLeast int
	}{
		"quick":      {honest().inside, nil, 250},
		"slow":       {slow, some, 40},
		"in trouble": {troubled, some, 40},
		"in parts":   {inParts, []string{"planTableScan", "fetchScanTasks"}, 28},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := run(t, &Fault{install: func(s *server) { s.inside = c.inside }}, c.only...)
			for _, r := range report.Results {
				if r.Verdict == conformance.Fail || r.Verdict == conformance.Unclear {
					t.Errorf("%s/%s: %s: %s", r.Operation, r.Case, r.Verdict, r.Finding)
				}
			}
			if passed := report.Count(conformance.Pass); passed < c.atLeast {
				t.Errorf("%d cases passed where %d are known to", passed, c.atLeast)
			}
		})
	}
}

// only is what is played for a fault: all cases of one operation, so that none fails
// which should not, and of the others those that should see it.
func (f *Fault) only() []string {
	if f.Operations != nil {
		return f.Operations
	}
	only := []string{conformance.ServerWide, some[1]}
	for _, operation := range some[2:] {
		for _, c := range conformance.Cases() {
			if !c.Server && (slices.Contains(f.Fails, c.ID) || slices.Contains(f.Perhaps, c.ID)) {
				only = append(only, operation+"/"+c.ID)
			}
		}
	}
	return only
}

// TestEveryFaultIsFound holds that each fault fails the cases that it should, and
// no others.
func TestEveryFaultIsFound(t *testing.T) {
	t.Parallel()
	for _, fault := range Faults {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			report := run(t, &fault, fault.only()...)
			failed := map[string]string{}
			for _, r := range report.Results {
				switch r.Verdict {
				case conformance.Fail:
					failed[r.Case] = r.Operation + ": " + r.Finding
				case conformance.Unclear:
					if fault.Blinds {
						continue
					}
					t.Errorf("%s/%s: unclear: %s", r.Operation, r.Case, r.Finding)
				}
			}
			for _, id := range fault.Fails {
				if failed[id] == "" {
					t.Errorf("case %s does not see it", id)
				}
			}
			for _, id := range slices.Sorted(maps.Keys(failed)) {
				if !slices.Contains(fault.Fails, id) && !slices.Contains(fault.Perhaps, id) {
					t.Errorf("case %s fails too: %s", id, failed[id])
				}
			}
			if failed := report.ExitCode() == 1; failed == fault.Mentioned {
				t.Errorf("the run failed: %v", failed)
			}
		})
	}
}

// TestEveryCaseCanFail holds that there is no case in the kit which finds nothing
// out.
func TestEveryCaseCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range conformance.Cases() {
		if !slices.ContainsFunc(Faults, func(f Fault) bool { return slices.Contains(f.Fails, c.ID) }) {
			t.Errorf("no fault fails %s", c.ID)
		}
	}
}

// unseen are the operations of which nobody can see an effect, and which are judged
// by their answers alone.
var unseen = []string{"planTableScan", "cancelPlanning", "fetchScanTasks"}

// TestEveryOperationIsJudged holds that the kit is as sharp for each operation that
// takes a key as it is for those that all faults are looked for in. Above all, a retry
// which is executed is seen: by its answer, and where the server hides it behind a good
// answer, by what the catalog shows.
func TestEveryOperationIsJudged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault *Fault
		cases []string
	}{
		{&executesAgain, []string{"replay", "lost-answer", "moved-on", "letter-case", "refusal"}},
		{&executesBehind, []string{"moved-on", "refusal"}},
		{&ignoresOperation, []string{"other-operation", "other-resource", "other-body"}},
		{&ignoresPrincipal, []string{"other-principal"}},
		{&anyText, []string{"malformed"}},
		{&keeps401, []string{"login"}},
		{&takesEqualsForOne, []string{"unkeyed"}},
	} {
		t.Run(c.fault.Name, func(t *testing.T) {
			t.Parallel()
			only := make([]string, len(c.cases))
			for i, id := range c.cases {
				only[i] = "*/" + id
			}
			report := run(t, c.fault, only...)
			for _, r := range report.Results {
				if !sees(c.fault, r) {
					t.Errorf("%s/%s: %s: %s", r.Operation, r.Case, r.Verdict, r.Finding)
				}
			}
			if want := 18 * len(c.cases); len(report.Results) != want {
				t.Errorf("%d results, not %d", len(report.Results), want)
			}
		})
	}
}

// sees reports whether a result is what a fault that is in all operations comes to.
func sees(fault *Fault, r conformance.Result) bool {
	switch {
	case r.Verdict == conformance.Fail:
		return true
	case r.Verdict == conformance.Skipped: // there is no other body or resource
		return fault == &ignoresOperation && (r.Case == "other-body" || r.Case == "other-resource")
	case slices.Contains(unseen, r.Operation): // moved-on and letter-case are there for them
		return fault == &executesBehind || fault == &executesAgain && (r.Case == "replay" || r.Case == "lost-answer")
	}
	return false
}
