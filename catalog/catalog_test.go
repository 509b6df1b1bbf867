package catalog_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/generated"
)

func TestNamespaceLife(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	created := s.do(http.MethodPost, "/v1/namespaces", `{"namespace":["newdb"],"properties":{"owner":"ann"}}`)
	if want := `{"namespace":["newdb"],"properties":{"owner":"ann"}}`; created.status != 200 || created.text != want {
		t.Errorf("create: %d %s", created.status, created.text)
	}
	if again := s.create("newdb"); again.status != 409 ||
		again.message() != "AlreadyExistsException: Namespace already exists: newdb" {
		t.Errorf("create again: %d %s", again.status, again.text)
	}
	if loaded := s.do(http.MethodGet, pathOf("newdb"), ""); loaded.status != 200 || loaded.text != created.text {
		t.Errorf("load: %d %s", loaded.status, loaded.text)
	}
	if exists := s.do(http.MethodHead, pathOf("newdb"), ""); exists.status != 204 {
		t.Errorf("exists: %d", exists.status)
	}
	if dropped := s.do(http.MethodDelete, pathOf("newdb"), ""); dropped.status != 204 || dropped.text != "" {
		t.Errorf("drop: %d %s", dropped.status, dropped.text)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if gone := s.do(method, pathOf("newdb"), ""); gone.status != 404 ||
			gone.message() != "NoSuchNamespaceException: Namespace does not exist: newdb" {
			t.Errorf("%s after drop: %d %s", method, gone.status, gone.text)
		}
	}
}

// Case C8: HEAD is answered by the namespace, and without a body.
func TestExistsOfAMissingNamespace(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	a := s.do(http.MethodHead, pathOf("none"), "")
	if a.status != 404 || a.text != "" || a.header.Get("Content-Type") != "" {
		t.Errorf("%d %q %v", a.status, a.text, a.header)
	}
}

func TestCreateWithoutProperties(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"namespace":["a"]}`, `{"namespace":["a"],"properties":null}`} {
		s := serve(t, catalog.Config{})
		if a := s.do(http.MethodPost, "/v1/namespaces", body); a.text != `{"namespace":["a"],"properties":{}}` {
			t.Errorf("%s: %d %s", body, a.status, a.text)
		}
		if a := s.do(http.MethodGet, pathOf("a"), ""); a.text != `{"namespace":["a"],"properties":{}}` {
			t.Errorf("%s: load: %d %s", body, a.status, a.text)
		}
	}
}

func TestBadNames(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	for body, part := range map[string]string{
		`{"namespace":[]}`:           "Namespace is empty",
		`{"namespace":["a",""]}`:     "empty level",
		`{"namespace":["a\u001fb"]}`: "not allowed",
		`{"namespace":["a\u0000"]}`:  "not allowed",
		`{}`:                         "/namespace",
		`{"namespace":"a"}`:          "/namespace",
		`{"namespace":["a"],"properties":{"b":null}}`:   "/properties",
		`{"namespace":["a"],"properties":{"b":1}}`:      "/properties",
		`{"namespace":["a"],"properties":["b"]}`:        "/properties",
		`{"namespace":[null]}`:                          "/namespace/0",
		`{"namespace":["a"]} {"namespace":["b"]}`:       "JSON",
		`{"namespace":["a"],"properties":{"b":"c","b":`: "JSON",
	} {
		a := s.do(http.MethodPost, "/v1/namespaces", body)
		if a.status != 400 || !strings.Contains(a.message(), "BadRequestException: ") || !strings.Contains(a.message(), part) {
			t.Errorf("%s: %d %s", body, a.status, a.text)
		}
	}
	for _, path := range []string{"/v1/namespaces/a%1F", "/v1/namespaces/%1Fa", "/v1/namespaces/a%00"} {
		if a := s.do(http.MethodGet, path, ""); a.status != 400 {
			t.Errorf("GET %s: %d %s", path, a.status, a.text)
		}
	}
	if names, _, _ := s.list(""); names != nil {
		t.Errorf("bad requests created %q", names)
	}
}

// Case C1: levels stay apart, in paths, in the query and in storage.
func TestLevelsStayApart(t *testing.T) {
	t.Parallel()
	for _, separator := range []string{"", "%1F", "%2E", "."} {
		s := serve(t, catalog.Config{Separator: separator})
		for _, levels := range [][]string{{"a.b", "c"}, {"a.b"}, {"a"}, {"a", "b"}} {
			if a := s.create(levels...); a.status != 200 {
				t.Fatalf("separator %q: create %q: %d %s", separator, levels, a.status, a.text)
			}
		}
		paths := map[string]string{"/v1/namespaces/a.b%1Fc": `["a.b","c"]`, "/v1/namespaces/a%1fb": `["a","b"]`}
		if separator != "." {
			paths["/v1/namespaces/a.b"] = `["a.b"]`
		} else {
			paths["/v1/namespaces/a.b"] = `["a","b"]`
		}
		if separator == "%2E" {
			paths["/v1/namespaces/a.b%2Ec"] = `["a.b","c"]`
			paths["/v1/namespaces/a%2eb"] = `["a","b"]`
		}
		for path, want := range paths {
			if a := s.do(http.MethodGet, path, ""); !strings.Contains(a.text, `{"namespace":`+want) {
				t.Errorf("separator %q: GET %s: %d %s, want %s", separator, path, a.status, a.text, want)
			}
		}
		wantChildren := []string{"a.b|c"}
		if strings.Contains(separator, ".") || separator == "%2E" {
			wantChildren = nil // in the query a.b then means ["a","b"], which has no children
		}
		if names, _, a := s.list("?parent=a.b"); a.status != 200 || !cmp.Equal(names, wantChildren) {
			t.Errorf("separator %q: list below a.b: %d %q", separator, a.status, names)
		}
		if names, _, _ := s.list("?parent=a.b%1F"); names != nil {
			t.Errorf("separator %q: a parent with an empty level lists %q", separator, names)
		}
	}
}

func TestNamesOfEveryKind(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	for _, name := range []string{"x/y", "50%", "50%25", "%1F", "a b", "a+b", "ü", "表", "~", "*", "..", "a&b=c", "😀", "%2F"} {
		if a := s.create("p", name); a.status != 200 {
			t.Errorf("create %q: %d %s", name, a.status, a.text)
		}
		want := jsonOf([]string{"p", name})
		a := s.do(http.MethodGet, pathOf("p", name), "")
		if got, ok := a.body["namespace"]; !ok || jsonOf(got) != want {
			t.Errorf("load %q: %d %s", name, a.status, a.text)
		}
		if a := s.do(http.MethodGet, "/v1/some%2Fprefix/namespaces/"+encoded("%1F", []string{"p", name}), ""); a.status != 200 {
			t.Errorf("load %q below a prefix: %d %s", name, a.status, a.text)
		}
	}
}

func TestImplicitParents(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	s.create("a", "b", "c")
	for query, want := range map[string]string{"": "a", "?parent=a": "a|b", "?parent=a%1Fb": "a|b|c"} {
		if names, _, _ := s.list(query); !cmp.Equal(names, []string{want}) {
			t.Errorf("list%s: %q", query, names)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodDelete} {
		if a := s.do(method, pathOf("a"), ""); a.status != 404 {
			t.Errorf("%s of an implicit parent: %d %s", method, a.status, a.text)
		}
	}
	if a := s.create("a"); a.status != 200 {
		t.Errorf("creating an implicit parent: %d %s", a.status, a.text)
	}
	if a := s.do(http.MethodDelete, pathOf("a"), ""); a.status != 409 ||
		a.message() != "NamespaceNotEmptyException: Namespace is not empty: a" {
		t.Errorf("dropping a parent: %d %s", a.status, a.text)
	}
	if a := s.do(http.MethodDelete, pathOf("a", "b", "c"), ""); a.status != 204 {
		t.Errorf("dropping the child: %d %s", a.status, a.text)
	}
	if names, _, a := s.list("?parent=a"); a.status != 200 || names != nil {
		t.Errorf("a has children left: %d %q", a.status, names)
	}
	if _, _, a := s.list("?parent=a%1Fb"); a.status != 404 {
		t.Errorf("the implicit parent outlived its child: %d", a.status)
	}
}

func TestListBelowAMissingParent(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	if _, _, a := s.list("?parent=non-existing"); a.status != 404 ||
		a.message() != "NoSuchNamespaceException: Namespace does not exist: non-existing" {
		t.Errorf("%d %s", a.status, a.text)
	}
	if names, _, a := s.list("?parent="); a.status != 200 || names != nil || !strings.Contains(a.text, `"namespaces":[]`) {
		t.Errorf("an empty parent is the root: %d %s", a.status, a.text)
	}
}

func TestUpdateProperties(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	s.do(http.MethodPost, "/v1/namespaces", `{"namespace":["a"],"properties":{"keep":"1","old":"2","change":"3"}}`)
	for _, step := range []struct {
		name, path, body string
		status           int
		want             string
	}{
		{
			"changes", pathOf("a"), `{"removals":["old","gone","old"],"updates":{"change":"4","new":"5"}}`, 200,
			`{"missing":["gone"],"removed":["old"],"updated":["change","new"]}`,
		},
		{"nothing", pathOf("a"), `{}`, 200, `{"missing":[],"removed":[],"updated":[]}`},
		{"nulls", pathOf("a"), `{"removals":null,"updates":null}`, 200, `{"missing":[],"removed":[],"updated":[]}`},
		{"overlap", pathOf("a"), `{"removals":["keep"],"updates":{"keep":"9","new":"9"}}`, 422, "UnprocessableEntityException"},
		{"null value", pathOf("a"), `{"updates":{"keep":null}}`, 400, "/updates"},
		{"wrong type", pathOf("a"), `{"updates":{"keep":1}}`, 400, "/updates"},
		{"missing namespace", pathOf("b"), `{"updates":{"x":"y"}}`, 404, "Namespace does not exist: b"},
		{"no body", pathOf("a"), ``, 400, "body is required"},
	} {
		a := s.do(http.MethodPost, step.path+"/properties", step.body)
		if a.status != step.status || !strings.Contains(a.text, step.want) {
			t.Errorf("%s: %d %s", step.name, a.status, a.text)
		}
	}
	want := `{"namespace":["a"],"properties":{"change":"4","keep":"1","new":"5"}}`
	if a := s.do(http.MethodGet, pathOf("a"), ""); a.text != want {
		t.Errorf("properties in the end: %s", a.text)
	}
}

// Every operation either works and is advertised, or is neither.
func TestAdvertisedIsServed(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	advertised := map[string]bool{}
	for _, endpoint := range s.do(http.MethodGet, "/v1/config", "").body["endpoints"].([]any) {
		advertised[endpoint.(string)] = true
	}
	if len(advertised) != 33 {
		t.Errorf("advertised: %v", advertised)
	}
	names := strings.NewReplacer("/{prefix}", "", "{namespace}", "n", "{table}", "t", "{view}", "v",
		"{function}", "f", "{plan-id}", "p")
	for _, op := range generated.Operations {
		status := s.do(op.Method, names.Replace(op.Path), bodyFor(op.ID)).status
		if unserved := status == http.StatusNotImplemented; unserved == advertised[op.Endpoint()] {
			t.Errorf("%s: advertised %v, answered %d", op.Endpoint(), advertised[op.Endpoint()], status)
		}
	}
}

// bodyFor gets an operation past the decoding of its body.
func bodyFor(operation string) string {
	schema := `{"type":"struct","fields":[],"schema-id":0}`
	identifier := `{"namespace":["n"],"name":"t"}`
	switch operation {
	case "getToken":
		return "grant_type=client_credentials&client_id=i&client_secret=s"
	case "createTable":
		return `{"name":"t","schema":` + schema + `}`
	case "createView":
		return `{"name":"v","schema":` + schema + `,"properties":{},"view-version":{"version-id":1,"timestamp-ms":0,` +
			`"schema-id":0,"summary":{},"representations":[],"default-namespace":["n"]}}`
	case "registerTable", "registerView":
		return `{"name":"t","metadata-location":"file:/m.json"}`
	case "renameTable", "renameView":
		return `{"source":` + identifier + `,"destination":` + identifier + `}`
	case "updateTable", "replaceView":
		return `{"requirements":[],"updates":[]}`
	case "commitTransaction":
		return `{"table-changes":[]}`
	case "fetchScanTasks":
		return `{"plan-task":"x"}`
	case "signRequest":
		return `{"region":"r","uri":"u","method":"GET","headers":{}}`
	case "reportMetrics":
		return `{"report-type":"scan-report","table-name":"t","snapshot-id":1,"filter":true,"schema-id":0,` +
			`"projected-field-ids":[],"projected-field-names":[],"metrics":{}}`
	case "createNamespace":
		return `{"namespace":["other"]}`
	case "planTableScan", "updateProperties":
		return `{}`
	}
	return ""
}
