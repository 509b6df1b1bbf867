package conformance_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// A server that fails whatever has a key is asked with one few times before the kit
// prepares its cases without.
func TestKeysOfTheKitsOwnThatFail(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	var keyed atomic.Int64
	fails := faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Idempotency-Key") == "" || r.Method == http.MethodGet {
			return false
		}
		keyed.Add(1)
		http.Error(w, `{"error":{"message":"no","type":"InternalServerError","code":500}}`, http.StatusInternalServerError)
		return true
	})
	report := play(t, fails, conformance.Options{Only: []string{"*/unkeyed"}, Parallel: 1})
	if passed := report.Count(conformance.Pass); passed != 18 {
		t.Errorf("%d passed", passed)
	}
	if n := keyed.Load(); n == 0 || n > 40 {
		t.Errorf("%d keyed requests", n)
	}
	if len(report.Leftovers) > 0 {
		t.Errorf("left behind: %q", report.Leftovers)
	}
}

// What an operation needs is not tried to be made for each of its cases when it cannot
// be, and the report says why.
func TestPreparationThatFails(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	var asked atomic.Int64
	fails := faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/tables") {
			return false
		}
		asked.Add(1)
		http.Error(w, "no tables today", http.StatusInternalServerError)
		return true
	})
	report := play(t, fails, conformance.Options{Only: []string{"dropTable"}, Parallel: 1})
	for _, r := range report.Results {
		if r.Verdict != conformance.Skipped && (r.Verdict != conformance.Unclear || !strings.Contains(r.Finding, "/tables: 500 Internal Server Error")) {
			t.Errorf("%s: %s: %s", r.Case, r.Verdict, r.Finding)
		}
	}
	if n := asked.Load(); n > 18 {
		t.Errorf("%d requests for a table", n)
	}
}
