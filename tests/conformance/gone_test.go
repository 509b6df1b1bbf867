package conformance_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// cutting cuts the connections of some requests: from one of a kind on, so many of
// them.
func cutting(t *testing.T, from, many int64, kind func(*http.Request) bool) string {
	t.Helper()
	catalog, _ := serve(t)
	var asked atomic.Int64
	return faulty.Before(t, catalog, func(_ http.ResponseWriter, r *http.Request) bool {
		if !kind(r) {
			return false
		}
		if n := asked.Add(1); n > from && n <= from+many {
			panic(http.ErrAbortHandler)
		}
		return false
	})
}

// A server that goes away ends the run, which says so once and blames it for
// nothing.
func TestServerThatGoesAway(t *testing.T) {
	t.Parallel()
	report := play(t, cutting(t, 60, 1<<40, func(*http.Request) bool { return true }), conformance.Options{})
	if report.Gone == "" || report.Interrupted || report.ExitCode() != 2 {
		t.Errorf("gone: %q, interrupted: %v, exit code %d", report.Gone, report.Interrupted, report.ExitCode())
	}
	judged := 0
	for _, r := range report.Results {
		switch {
		case r.Verdict == conformance.Fail, r.Verdict == conformance.Unclear:
			t.Errorf("%s/%s: %s: %s", r.Operation, r.Case, r.Verdict, r.Finding)
		case r.Verdict == conformance.Pass:
			judged++
		case r.Verdict == conformance.Skipped && !strings.Contains(r.Finding, "could no longer be reached"):
			judged++ // skipped for a reason of its own
		}
	}
	if judged == 0 || judged > 20 {
		t.Errorf("%d cases were played", judged)
	}
	if len(report.Leftovers) > 40 {
		t.Errorf("%d lines of what is left", len(report.Leftovers))
	}
}

// A server that falls over and comes back is asked on, and the answer it owed is
// a finding.
func TestServerThatComesBack(t *testing.T) {
	t.Parallel()
	underTest := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/tables")
	}
	report := play(t, cutting(t, 5, 3, underTest), conformance.Options{Only: []string{"createTable"}, Parallel: 1})
	if report.Gone != "" {
		t.Errorf("gone: %s", report.Gone)
	}
	if passed := report.Count(conformance.Pass); passed < 8 {
		t.Errorf("%d passed", passed)
	}
	if report.ExitCode() == 0 {
		t.Error("the requests without an answer went unnoticed")
	}
}
