package conformance_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// What a small server may offer.
const (
	makeNamespace = "POST /v1/{prefix}/namespaces"
	loadNamespace = "GET /v1/{prefix}/namespaces/{namespace}"
	makeTable     = "POST /v1/{prefix}/namespaces/{namespace}/tables"
	loadTable     = "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}"
	dropTable     = "DELETE /v1/{prefix}/namespaces/{namespace}/tables/{table}"
)

var parameter = regexp.MustCompile(`\\\{[a-z]+\\\}`)

// partial serves what it advertises, and answers everything else with a status.
func partial(t *testing.T, otherwise int, endpoints ...string) string {
	t.Helper()
	var served []*regexp.Regexp
	for _, e := range endpoints {
		pattern := regexp.QuoteMeta(strings.Replace(e, "/{prefix}", "", 1))
		served = append(served, regexp.MustCompile("^"+parameter.ReplaceAllString(pattern, "[^/]+")+"$"))
	}
	catalog, _ := serve(t)
	return faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/v1/config" {
			_ = json.NewEncoder(w).Encode(map[string]any{
				"defaults": map[string]string{}, "overrides": map[string]string{},
				"endpoints": endpoints, "idempotency-key-lifetime": "PT3S",
			})
			return true
		}
		if slices.ContainsFunc(served, func(p *regexp.Regexp) bool { return p.MatchString(r.Method + " " + r.URL.Path) }) {
			return false
		}
		http.Error(w, "no such route", otherwise)
		return true
	})
}

// A server that offers a part, and keeps its promise there, passes: what it does not
// offer is left out, and said to be.
func TestPartialServer(t *testing.T) {
	t.Parallel()
	tables := []string{makeNamespace, loadNamespace, makeTable, loadTable}
	for name, c := range map[string]struct {
		endpoints []string
		otherwise int
		code      int
		skipped   []string
	}{
		"makes and drops tables": {append(tables, dropTable), http.StatusNotImplemented, 0, nil},
		"makes tables":           {tables, http.StatusNotImplemented, 0, []string{"createTable/moved-on", "createTable/unkeyed"}},
		"cannot be read":         {[]string{makeNamespace, makeTable, dropTable}, http.StatusNotFound, 2, []string{"createTable/replay", "server/reads"}},
		"makes no namespaces":    {[]string{makeTable, loadTable, dropTable}, http.StatusMethodNotAllowed, 2, []string{"createTable/replay", "server/errors"}},
		"offers nothing":         {[]string{}, http.StatusNotFound, 2, []string{"server/reads", "server/errors"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := play(t, partial(t, c.otherwise, c.endpoints...), conformance.Options{Only: []string{"server", "createTable"}, Parallel: 8})
			skipped := map[string]bool{}
			for _, r := range report.Results {
				if r.Verdict == conformance.Fail || r.Verdict == conformance.Unclear {
					t.Errorf("%s/%s: %s: %s", r.Operation, r.Case, r.Verdict, r.Finding)
				}
				if r.Verdict == conformance.Skipped && strings.Contains(r.Finding, "advertise") {
					skipped[r.Operation+"/"+r.Case] = true
				}
			}
			for _, cell := range c.skipped {
				if !skipped[cell] {
					t.Errorf("%s is not skipped for want of an operation", cell)
				}
			}
			if got := report.ExitCode(); got != c.code {
				t.Errorf("exit code %d, want %d", got, c.code)
			}
		})
	}
}

// A skip for want of an operation hides no finding: a key that is none and is taken
// all the same is seen without the drop that would undo what it did.
func TestPartialServerCanFail(t *testing.T) {
	t.Parallel()
	honest := partial(t, http.StatusNotImplemented, makeNamespace, loadNamespace, makeTable, loadTable)
	keyless := faulty.Before(t, honest, func(_ http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Idempotency-Key")
		return false
	})
	report := play(t, keyless, conformance.Options{Only: []string{"createTable/malformed"}})
	if got := report.Results[0]; !got.Breaks() {
		t.Errorf("%s: %s", got.Verdict, got.Finding)
	}
}
