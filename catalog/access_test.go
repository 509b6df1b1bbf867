package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// judge writes down what it is asked about and allows what it is told to.
type judge struct {
	allow func(catalog.Access) (bool, error)
	mu    sync.Mutex
	asked []catalog.Access
}

func (j *judge) Allows(_ context.Context, principal string, access catalog.Access) (bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.asked = append(j.asked, access)
	if principal != "ann" {
		return false, fmt.Errorf("somebody called %q came", principal)
	}
	return j.allow(access)
}

func everything(catalog.Access) (bool, error) { return true, nil }

// judged serves a catalog to ann, behind a judge.
func judged(t testing.TB, j *judge, config catalog.Config) http.Handler {
	t.Helper()
	c, err := catalog.New(config)
	if err != nil {
		t.Fatal(err)
	}
	guard, err := runtime.NewGuard(nil, runtime.Config{Authorize: c.Authorize(j), Logger: config.Logger})
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	generated.Register(e, c, guard)
	return e
}

// send sends a request whose target goes over the wire as it is.
func send(h http.Handler, method, target, body string) *httptest.ResponseRecorder {
	raw, query, _ := strings.Cut(target, "?")
	r := httptest.NewRequest(method, "/", strings.NewReader(body))
	path, _ := url.PathUnescape(raw)
	r.URL = &url.URL{Path: path, RawPath: raw, RawQuery: query}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(runtime.WithPrincipal(r.Context(), "ann")))
	return w
}

const (
	ns       = "/v1/namespaces/a%1Fb.c"
	orders   = ns + "/tables/o+%2F"
	thisView = ns + "/views/o+%2F"
	name     = `{"namespace":["a","b.c"],"name":"o /"}`
	other    = `{"namespace":["d"],"name":"p"}`
	oView    = `{"name":"o /","schema":` + idSchema + `,"properties":{},"view-version":{"version-id":1,"timestamp-ms":1,"schema-id":0,` +
		`"summary":{},"default-namespace":["d"],"representations":[{"type":"sql","sql":"select 1 as id","dialect":"trino"}]}}`
)

// accessCases say for every operation what it does.
var accessCases = []struct {
	operation, method, path, body string
	want                          []string
}{
	{"getConfig", "GET", "/v1/config", "", nil},
	{"getToken", "POST", "/v1/oauth/tokens", "", nil},
	{"listNamespaces", "GET", "/v1/namespaces", "", []string{"list namespace [] "}},
	{"listNamespaces", "GET", "/v1/namespaces?parent=a%1Fb.c", "", []string{"list namespace [a b.c] "}},
	{"createNamespace", "POST", "/v1/namespaces", `{"namespace":["a","b.c"]}`, []string{"create namespace [a b.c] "}},
	{"loadNamespaceMetadata", "GET", ns, "", []string{"read namespace [a b.c] "}},
	{"loadNamespaceMetadata", "GET", "/v1/some-prefix/namespaces/a%1fb.c", "", []string{"read namespace [a b.c] "}},
	{"namespaceExists", "HEAD", ns, "", []string{"read namespace [a b.c] "}},
	{"dropNamespace", "DELETE", ns, "", []string{"drop namespace [a b.c] "}},
	{"updateProperties", "POST", ns + "/properties", `{}`, []string{"write namespace [a b.c] "}},
	{"listTables", "GET", ns + "/tables", "", []string{"list namespace [a b.c] "}},
	{"createTable", "POST", ns + "/tables", `{"name":"o /","schema":` + idSchema + `}`, []string{"create table [a b.c] o /"}},
	{"listFunctions", "GET", ns + "/functions", "", []string{"list namespace [a b.c] "}},
	{"loadFunction", "GET", ns + "/functions/o+%2F", "", []string{"read function [a b.c] o /"}},
	{"planTableScan", "POST", orders + "/plan", `{}`, []string{"read table [a b.c] o /"}},
	{"fetchPlanningResult", "GET", orders + "/plan/1", "", []string{"read table [a b.c] o /"}},
	{"cancelPlanning", "DELETE", orders + "/plan/1", "", []string{"read table [a b.c] o /"}},
	{"fetchScanTasks", "POST", orders + "/tasks", `{"plan-task":"1"}`, []string{"read table [a b.c] o /"}},
	{"registerTable", "POST", ns + "/register", `{"name":"o /","metadata-location":"file:/x"}`, []string{"create table [a b.c] o /"}},
	{
		"registerTable", "POST", ns + "/register", `{"name":"o /","metadata-location":"file:/x","overwrite":true}`,
		[]string{"create table [a b.c] o /", "write table [a b.c] o /"},
	},
	{"loadTable", "GET", orders, "", []string{"read table [a b.c] o /"}},
	{"updateTable", "POST", orders, setProperty("a", "b"), []string{"write table [a b.c] o /"}},
	{"updateTable", "POST", orders, `{"requirements":[{"type":"assert-create"}],"updates":[]}`, []string{"create table [a b.c] o /"}},
	{"dropTable", "DELETE", orders, "", []string{"drop table [a b.c] o /"}},
	{"tableExists", "HEAD", orders, "", []string{"read table [a b.c] o /"}},
	{"unregisterTable", "POST", orders + "/unregister", "", []string{"drop table [a b.c] o /"}},
	{"loadCredentials", "GET", orders + "/credentials", "", []string{"read table [a b.c] o /"}},
	{"signRequest", "POST", orders + "/sign", `{"method":"GET","region":"x","uri":"s3://a","headers":{}}`, []string{"read table [a b.c] o /"}},
	{"signRequest", "POST", orders + "/sign", `{"method":"PUT","region":"x","uri":"s3://a","headers":{}}`, []string{"write table [a b.c] o /"}},
	{"renameTable", "POST", "/v1/tables/rename", `{"source":` + name + `,"destination":` + other + `}`, []string{"drop table [a b.c] o /", "create table [d] p"}},
	{"reportMetrics", "POST", orders + "/metrics", `{"report-type":"x"}`, []string{"read table [a b.c] o /"}},
	{
		"commitTransaction", "POST", "/v1/transactions/commit",
		`{"table-changes":[{"identifier":` + name + `,"requirements":[],"updates":[]},` +
			`{"identifier":` + other + `,"requirements":[{"type":"assert-create"}],"updates":[]}]}`,
		[]string{"write table [a b.c] o /", "create table [d] p"},
	},
	{"listViews", "GET", ns + "/views", "", []string{"list namespace [a b.c] "}},
	{"createView", "POST", ns + "/views", oView, []string{"create view [a b.c] o /"}},
	{"loadView", "GET", thisView, "", []string{"read view [a b.c] o /"}},
	{"replaceView", "POST", thisView, setProperty("a", "b"), []string{"write view [a b.c] o /"}},
	{"dropView", "DELETE", thisView, "", []string{"drop view [a b.c] o /"}},
	{"viewExists", "HEAD", thisView, "", []string{"read view [a b.c] o /"}},
	{"renameView", "POST", "/v1/views/rename", `{"source":` + name + `,"destination":` + other + `}`, []string{"drop view [a b.c] o /", "create view [d] p"}},
	{"registerView", "POST", ns + "/register-view", `{"name":"o /","metadata-location":"file:/x"}`, []string{"create view [a b.c] o /"}},
}

// told writes accesses so that no two look alike.
func told(accesses []catalog.Access) []string {
	var texts []string
	for _, a := range accesses {
		texts = append(texts, fmt.Sprintf("%s %s %v %s", a.Action, a.Kind, a.Namespace, a.Name))
	}
	return texts
}

// Every operation is decided about, by all that it does; what is refused is a 403
// that says nothing of what there is.
func TestAccesses(t *testing.T) {
	t.Parallel()
	config := complete(t, catalog.Config{}, dsns["sqlite"](t))
	left := map[string]bool{}
	for _, op := range generated.Operations {
		left[op.ID] = true
	}
	for _, c := range accessCases {
		delete(left, c.operation)
		j := &judge{allow: everything}
		if w := send(judged(t, j, config), c.method, c.path, c.body); w.Code == http.StatusForbidden {
			t.Errorf("%s: %d %s", c.operation, w.Code, w.Body)
		}
		if got := told(j.asked); !cmp.Equal(got, c.want) {
			t.Errorf("%s asks about %q, not %q", c.operation, got, c.want)
		}
		for i := range c.want { // all but one are allowed
			refused := &judge{allow: func(a catalog.Access) (bool, error) { return told([]catalog.Access{a})[0] != c.want[i], nil }}
			w := send(judged(t, refused, config), c.method, c.path, c.body)
			if w.Code != http.StatusForbidden || c.method != http.MethodHead && !strings.Contains(w.Body.String(), "ForbiddenException") {
				t.Errorf("%s without %q: %d %s", c.operation, c.want[i], w.Code, w.Body)
			}
		}
	}
	if len(left) > 0 {
		t.Errorf("not tested: %v", left)
	}
}

// The documentation's table says what the operations do.
func TestDocumentedActions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	operations := map[string][]string{}
	for _, c := range accessCases {
		for _, access := range c.want {
			action, _, _ := strings.Cut(access, " ")
			if !slices.Contains(operations[action], c.operation) {
				operations[action] = append(operations[action], c.operation)
			}
		}
	}
	for _, action := range catalog.Actions {
		_, row, found := strings.Cut(string(text), fmt.Sprintf("\n| `%s` | ", action))
		row, _, _ = strings.Cut(row, " |")
		documented := strings.Split(row, ", ")
		slices.Sort(documented)
		slices.Sort(operations[string(action)])
		if !found || !cmp.Equal(documented, operations[string(action)]) {
			t.Errorf("%s: %s", action, cmp.Diff(operations[string(action)], documented))
		}
	}
}

// What somebody asks an authorizer and gets no answer to is refused, and the
// reason stays here.
func TestAuthorizerThatFails(t *testing.T) {
	t.Parallel()
	config := complete(t, catalog.Config{}, dsns["sqlite"](t))
	for want, err := range map[int]error{
		403: errors.New("s3cr3t"),
		503: runtime.Errorf(http.StatusServiceUnavailable, "", "Later"),
	} {
		j := &judge{allow: func(catalog.Access) (bool, error) { return true, err }}
		if w := send(judged(t, j, config), http.MethodGet, ns, ""); w.Code != want || strings.Contains(w.Body.String(), "s3cr3t") {
			t.Errorf("%v: %d %s", err, w.Code, w.Body)
		}
	}
}
