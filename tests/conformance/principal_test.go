package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// The refusal of a second principal is a pass when he has the rights of the first.
// One who may do nothing is refused whatever the server does with keys.
func TestSecondPrincipal(t *testing.T) {
	t.Parallel()
	operations := []string{"createTable/other-principal", "dropNamespace/other-principal", "planTableScan/other-principal"}
	for name, c := range map[string]struct {
		may  func(*http.Request) bool
		want conformance.Verdict
		code int
	}{
		"may do all":     {func(*http.Request) bool { return true }, conformance.Pass, 0},
		"may do nothing": {func(*http.Request) bool { return false }, conformance.Unclear, 2},
		"may read":       {func(r *http.Request) bool { return r.Method == http.MethodGet }, conformance.Unclear, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			catalog, _ := serve(t)
			server := faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Authorization") != "Bearer "+bob || c.may(r) {
					return false
				}
				http.Error(w, "not you", http.StatusForbidden)
				return true
			})
			target := conformance.Target{URL: server, Token: alice, SecondToken: bob}
			report, err := conformance.Run(t.Context(), target, conformance.Options{Only: operations})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range report.Results {
				says := c.want == conformance.Pass || strings.Contains(r.Finding, "must have the rights of the first")
				if r.Verdict != c.want || !says {
					t.Errorf("%s: %s: %s", r.Operation, r.Verdict, r.Finding)
				}
			}
			if got := report.ExitCode(); got != c.code || len(report.Results) != len(operations) {
				t.Errorf("exit code %d, %d results", got, len(report.Results))
			}
		})
	}
}

// A second token that the server does not know ends a run before its beginning, also
// where the configuration is for everybody.
func TestUnknownSecondToken(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	public := faulty.Before(t, catalog, func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/config") {
			r.Header.Set("Authorization", "Bearer "+alice)
		}
		return false
	})
	for _, server := range []string{catalog, public} {
		target := conformance.Target{URL: server, Token: alice, SecondToken: "nope"}
		_, err := conformance.Run(t.Context(), target, conformance.Options{Only: []string{"createTable/replay"}})
		if err == nil || !strings.Contains(err.Error(), "the second token is not let in") {
			t.Errorf("the error is %v", err)
		}
	}
}
