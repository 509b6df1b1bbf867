package conformance_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

func play(t *testing.T, server string, o conformance.Options) *conformance.Report {
	t.Helper()
	report, err := conformance.Run(t.Context(), conformance.Target{URL: server, Token: alice}, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// What a server does not let the kit remove is named.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	server := faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
		namespace := strings.Count(r.URL.Path, "/") == 3 // /v1/namespaces/{namespace}
		refuses := r.Method == http.MethodDelete && (namespace || r.URL.Query().Get("purgeRequested") == "true")
		if refuses {
			http.Error(w, "not with me", http.StatusForbidden)
		}
		return refuses
	})
	report := play(t, server, conformance.Options{Only: []string{"updateTable/etag"}})
	left := strings.Join(report.Leftovers, "\n")
	for _, want := range []string{"changed, which was dropped without purge: 403", "namespace conform_", "a: 403 Forbidden not with me"} {
		if !strings.Contains(left, want) {
			t.Errorf("%q is not among what is left:\n%s", want, left)
		}
	}
	for _, name := range namespaces(t, catalog) {
		if !strings.Contains(left, name) {
			t.Errorf("namespace %s is left, and the report does not say so", name)
		}
	}
}

// A server that never answers a retry is found out, and the kit does not wait with
// it.
func TestHangingServer(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	var met sync.Map
	hangs := func(_ http.ResponseWriter, r *http.Request) bool {
		key := r.Header.Get("Idempotency-Key")
		if _, again := met.LoadOrStore(key, true); key == "" || !again || r.Method != http.MethodDelete {
			return false // what the kit makes first may take more than one attempt
		}
		<-r.Context().Done()
		return true
	}
	started := time.Now()
	report := play(t, faulty.Before(t, catalog, hangs), conformance.Options{
		Only: []string{"dropTable/replay", "dropTable/hang-up"}, Timeout: 6 * time.Second,
	})
	for _, r := range report.Results {
		if !r.Breaks() || !strings.Contains(r.Finding, "no answer within 6s") {
			t.Errorf("%s: %s: %s", r.Case, r.Verdict, r.Finding)
		}
	}
	if took := time.Since(started); took > 2*time.Minute {
		t.Errorf("it took %v", took)
	}
}

// Runs at one time do not disturb each other, nor what was there before.
func TestRunsKeepToThemselves(t *testing.T) {
	t.Parallel()
	server, _ := serve(t)
	theirs := send(t, server, http.MethodPost, "/v1/namespaces", `{"namespace":["conform_somebody_else"],"properties":{"a":"1"}}`)
	send(t, server, http.MethodPost, "/v1/namespaces/conform_somebody_else/tables", `{"name":"made","schema":{"type":"struct","fields":[]}}`)
	table := send(t, server, http.MethodGet, "/v1/namespaces/conform_somebody_else/tables/made", "")
	var runs sync.WaitGroup
	for range 2 {
		runs.Go(func() {
			report, err := conformance.Run(t.Context(), conformance.Target{URL: server, Token: alice}, conformance.Options{
				Only: []string{"createTable/*", "dropNamespace/*"},
			})
			if err != nil || report.ExitCode() != 0 {
				t.Errorf("%v, %+v", err, report.Broken())
			}
		})
	}
	runs.Wait()
	if now := send(t, server, http.MethodGet, "/v1/namespaces/conform_somebody_else", ""); now != theirs {
		t.Errorf("somebody else's namespace was %s and is %s", theirs, now)
	}
	if now := send(t, server, http.MethodGet, "/v1/namespaces/conform_somebody_else/tables/made", ""); now != table {
		t.Errorf("somebody else's table was %s and is %s", table, now)
	}
	if names := namespaces(t, server); len(names) != 1 {
		t.Errorf("the namespaces are %q", names)
	}
}
