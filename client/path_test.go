package client_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
)

// found returns the operation for which a request got a key, and where its server
// was looked for. Both are empty when it was left alone.
func found(t *testing.T, method, url string, seen ...string) (operation, server string) {
	t.Helper()
	rig := newRig(t, done)
	for _, s := range seen {
		if _, err := rig.get(t, s+"/v1/config"); err != nil {
			t.Fatal(err)
		}
	}
	request := post(t, url)
	request.Method = method
	if _, _, err := rig.do(t, request); err != nil {
		t.Fatal(err)
	}
	if len(rig.log.attempts) == 0 {
		return "", ""
	}
	if len(rig.base.questions) > len(seen) {
		server = strings.TrimSuffix(rig.base.questions[len(seen)].url, "/v1/config")
	}
	return rig.log.attempts[0].Operation.ID, server
}

func TestPaths(t *testing.T) {
	t.Parallel()
	const host = "http://h"
	for _, test := range []struct{ method, path, operation, server string }{
		{"POST", "/v1/namespaces", "createNamespace", ""},
		{"POST", "/v1/p/namespaces", "createNamespace", ""},
		{"POST", "/v1/p%2Fq/namespaces", "createNamespace", ""},
		{"POST", "/v1/p/q/r/namespaces", "createNamespace", ""},
		{"POST", "/v1/namespaces/namespaces", "createNamespace", ""}, // the prefix is "namespaces"
		{"DELETE", "/v1/namespaces/namespaces", "dropNamespace", ""},
		{"DELETE", "/v1/namespaces/a%1Fb", "dropNamespace", ""},
		{"DELETE", "/v1/namespaces/a%2Fb", "dropNamespace", ""},
		{"DELETE", "/v1/namespaces/a%252Fb", "dropNamespace", ""},
		{"DELETE", "/v1/namespaces/caf%C3%A9+x", "dropNamespace", ""},
		{"POST", "/v1/namespaces/a/properties", "updateProperties", ""},
		{"POST", "/v1/namespaces/a/tables", "createTable", ""},
		{"POST", "/v1/namespaces/a/tables/t", "updateTable", ""},
		{"POST", "/v1/namespaces/a/tables/rename", "updateTable", ""},
		{"POST", "/v1/tables/rename", "renameTable", ""},
		{"POST", "/v1/p/tables/rename", "renameTable", ""},
		{"POST", "/v1/transactions/commit", "commitTransaction", ""},
		{"POST", "/v1/namespaces/a/views", "createView", ""},
		{"POST", "/v1/namespaces/a/register-view", "registerView", ""},
		{"DELETE", "/v1/namespaces/a/tables/t/plan/p", "cancelPlanning", ""},
		{"DELETE", "/v1/namespaces/a/tables/t", "dropTable", ""},

		{"POST", "/api/catalog/v1/wh/namespaces", "createNamespace", "/api/catalog"},
		{"POST", "/api/v1/catalog/v1/wh/namespaces", "createNamespace", "/api/v1/catalog"},
		{"POST", "/iceberg/v1/restcatalog/v1/projects/p/catalogs/c/namespaces", "createNamespace", "/iceberg/v1/restcatalog"},
		{"POST", "/iceberg/v1/catalogs/123/namespaces/a/tables", "createTable", "/iceberg"},
		{"POST", "/v1/namespaces/v1/tables", "createTable", ""},
		{"DELETE", "/v1/namespaces/v1", "dropNamespace", ""},
		{"DELETE", "/v1/v1/namespaces/v1/tables/v1", "dropTable", "/v1"},

		{"POST", "/v1/p/namespaces/a/tables/t/metrics", "", ""},
		{"POST", "/v1/p/namespaces/a/tables/t/sign", "", ""},
		{"POST", "/v1/p/q/namespaces/a/tables/t/sign", "", ""},
		{"POST", "/v1/namespaces/namespaces/tables/tables/sign", "", ""},
		{"POST", "/v1/%6eamespaces", "", ""},
		{"POST", "/", "", ""},
		{"POST", "", "", ""},
		{"PATCH", "/v1/namespaces", "", ""},
	} {
		operation, server := found(t, test.method, host+test.path)
		if want := host + test.server; operation != test.operation || operation != "" && server != want {
			t.Errorf("%s %s: %q at %q; want %q at %q", test.method, test.path, operation, server, test.operation, want)
		}
	}
}

// A server whose configuration has been seen settles what the path leaves open.
func TestKnownServerDecides(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, seen, operation string }{
		{"/v1/v1/namespaces/v1/tables/v1", "http://h", "dropTable"},
		{"/v1/v1/namespaces/v1/tables/v1", "http://h/v1", "dropTable"},
		{"/v1/namespaces/v1/namespaces/x", "http://h", "dropNamespace"},
	} {
		operation, server := found(t, "DELETE", "http://h"+test.path, test.seen)
		if operation != test.operation || server != "" {
			t.Errorf("%s below %s: %q, asked at %q", test.path, test.seen, operation, server)
		}
	}
	if operation, _ := found(t, "POST", "http://h/v1/p/namespaces/v1/tables/rename", "http://h"); operation != "updateTable" {
		t.Errorf("%q; want the commit to a table called rename", operation)
	}
}

// For every path that the generated router serves, the Transport finds the same
// operation.
func TestPathsAsTheRouter(t *testing.T) {
	t.Parallel()
	router := echo.New()
	generated.Mount(router, generated.Unimplemented{}, nil)
	byRoute := map[string]string{}
	for _, op := range generated.Operations {
		byRoute[op.Endpoint()] = ""
		if op.Idempotent {
			byRoute[op.Endpoint()] = op.ID
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		op := rapid.SampledFrom(generated.Operations).Draw(rt, "operation")
		segments := strings.Split(op.Path, "/")[1:]
		if rapid.Bool().Draw(rt, "no prefix") && len(segments) > 1 && segments[1] == "{prefix}" {
			segments = append(segments[:1:1], segments[2:]...)
		}
		for i, s := range segments {
			if s[0] == '{' {
				segments[i] = rapid.SampledFrom([]string{
					"a", "namespaces", "tables", "views", "rename", "plan", "register", "a%2Fb", "%25", "properties", "commit",
				}).Draw(rt, "segment")
			}
		}
		path := "/" + strings.Join(segments, "/")
		method := rapid.SampledFrom([]string{op.Method, http.MethodPost, http.MethodDelete}).Draw(rt, "method")
		r := httptest.NewRequest(method, path, http.NoBody)
		c := router.NewContext(r, httptest.NewRecorder())
		router.Router().Find(method, path, c)
		want, served := byRoute[method+" "+template(c.Path())]
		if !served || strings.Count(c.Path(), "/") != strings.Count(path, "/") {
			return // a 405, or a last parameter that Echo lets swallow slashes
		}
		if got, _ := found(t, method, "http://h"+path, "http://h"); got != want {
			rt.Errorf("%s %s: %q; the router says %q (%s)", method, path, got, want, c.Path())
		}
	})
}

// template turns a route of the router into the document's template.
func template(route string) string {
	segments := strings.Split(route, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, ":") {
			segments[i] = "{" + s[1:] + "}"
		}
	}
	if len(segments) > 2 && segments[2] != "{prefix}" && segments[2] != "config" && segments[2] != "oauth" {
		segments = append(segments[:2], append([]string{"{prefix}"}, segments[2:]...)...)
	}
	return strings.Join(segments, "/")
}

// A table of another document may have fixed segments where this one has
// parameters; they go first.
func TestFixedSegmentsFirst(t *testing.T) {
	t.Parallel()
	operations := operations("POST /v1/{prefix}/things/{thing}", "POST /v1/{prefix}/things/all", "POST /v1/{prefix}/{kind}/all")
	rig := newRigWith(t, func(o *client.Options) { o.Operations = operations }, done)
	for path, want := range map[string]string{
		"/v1/things/all": operations[1].ID, "/v1/things/x": operations[0].ID, "/v1/p/q/x/all": operations[2].ID,
	} {
		rig.log.attempts = nil
		if _, _, err := rig.do(t, post(t, "http://h"+path)); err != nil || rig.log.attempts[0].Operation.ID != want {
			t.Errorf("%s: %+v %v; want %s", path, rig.log.attempts, err, want)
		}
	}
}
