package catalog_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog"
)

// The texts and types by which clients and compatibility kits tell failures
// apart. Case C6: a missing namespace is not taken for a missing table, and a
// rename says which of its two names it could not find.
func TestMessages(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{}).withNamespace()
	table := s.must(200, s.createTable("table"))
	s.must(200, s.createTable("other"))
	view := s.must(200, s.createView("view"))
	s.must(200, s.createView("view2"))
	staged := s.must(200, s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"new","stage-create":true,"schema":`+idSchema+`}`))

	to := func(from, namespace, name string) string {
		return `{"source":{"namespace":["ns"],"name":"` + from + `"},"destination":{"namespace":["` + namespace + `"],"name":"` + name + `"}}`
	}
	tableIn := func(name string) string { return `{"name":"` + name + `","schema":` + idSchema + `}` }
	viewIn := func(name string) string {
		return `{"name":"` + name + `","schema":` + idSchema + `,"view-version":{"version-id":1,"timestamp-ms":1,"schema-id":0,` +
			`"summary":{},"default-namespace":[],"representations":[{"type":"sql","sql":"select 1","dialect":"trino"}]}}`
	}
	twice := strings.Replace(viewIn("v"), `"dialect":"trino"}`, `"dialect":"trino"},{"type":"sql","sql":"select 2","dialect":"TRINO"}`, 1)
	registration := func(name, location, more string) string {
		return `{"name":"` + name + `","metadata-location":"` + location + `"` + more + `}`
	}
	const post, get, del = http.MethodPost, http.MethodGet, http.MethodDelete
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{get, "/v1/namespaces?parent=non-existing", "", 404, "NoSuchNamespaceException: Namespace does not exist: non-existing"},
		{get, pathOf("newdb"), "", 404, "NoSuchNamespaceException: Namespace does not exist: newdb"},
		{del, pathOf("ns"), "", 409, "NamespaceNotEmptyException: Namespace is not empty: ns"},
		{post, "/v1/namespaces", `{"namespace":["ns"]}`, 409, "AlreadyExistsException: Namespace already exists: ns"},
		{post, "/v1/namespaces", `{"namespace":["` + strings.Repeat("x", 2049) + `"]}`, 400, "BadRequestException: Namespace is 2049 bytes long"},

		{get, pathOf("none") + "/tables", "", 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{post, pathOf("non-existing") + "/tables", tableIn("t"), 404, "NoSuchNamespaceException: Namespace does not exist: non-existing"},
		{post, pathOf("ns") + "/tables", tableIn("table"), 409, "AlreadyExistsException: Table already exists: ns.table"},
		{post, pathOf("ns") + "/tables", tableIn("view"), 409, "AlreadyExistsException: View with same name already exists: ns.view"},
		{post, pathOf("ns") + "/tables", tableIn(strings.Repeat("x", 1025)), 400, "BadRequestException: Name is 1025 bytes long"},
		{get, tablePath("tbl"), "", 404, "NoSuchTableException: Table does not exist: ns.tbl"},
		{get, pathOf("ns", "tbl") + "/tables/files", "", 404, "NoSuchTableException: Table does not exist: ns.tbl.files"},
		{get, tablePath("view"), "", 404, "NoSuchTableException: Table does not exist: ns.view"},
		{del, tablePath("view"), "", 404, "NoSuchTableException: Table does not exist: ns.view"},
		{del, pathOf("none") + "/tables/t", "", 404, "NoSuchTableException: Table does not exist: none.t"},
		{post, tablePath("tbl"), setProperty("a", "b"), 404, "NoSuchTableException: Table does not exist: ns.tbl"},
		{post, tablePath("view"), setProperty("a", "b"), 404, "NoSuchTableException: Table does not exist: ns.view"},
		{post, pathOf("none") + "/tables/new", creationOf(staged), 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{post, tablePath("view"), creationOf(staged), 409, "AlreadyExistsException: View with same name already exists: ns.view"},
		{post, tablePath("table"), creationOf(staged), 409, "CommitFailedException: Requirement failed: table already exists"},
		{
			post, tablePath("table"), `{"requirements":[{"type":"assert-table-uuid","uuid":"x"}],"updates":[]}`, 409,
			"CommitFailedException: Requirement failed: UUID does not match",
		},
		{post, tablePath("table"), `{"requirements":[],"updates":[{"action":"frobnicate"}]}`, 400, "BadRequestException: "},
		{post, tablePath("tbl") + "/metrics", bodyFor("reportMetrics"), 404, "NoSuchTableException: Table does not exist: ns.tbl"},
		{get, tablePath("tbl") + "/credentials", "", 404, "NoSuchTableException: Table does not exist: ns.tbl"},
		{post, tablePath("tbl") + "/unregister", "", 404, "NoSuchTableException: Table does not exist: ns.tbl"},

		{post, pathOf("none") + "/register", registration("t", location(table), ""), 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{post, pathOf("ns") + "/register", registration("table", location(table), ""), 409, "AlreadyExistsException: Table already exists: ns.table"},
		{post, pathOf("ns") + "/register", registration("view", location(table), ""), 409, "AlreadyExistsException: View with same name already exists: ns.view"},
		{post, pathOf("ns") + "/register", registration("view", location(table), `,"overwrite":true`), 409, "AlreadyExistsException: View with same name already exists: ns.view"},
		{post, pathOf("ns") + "/register", registration("t", "file:/none/x.json", ""), 404, "NotFoundException: Failed to open input stream for file: file:/none/x.json"},
		{post, pathOf("ns") + "/register", registration("t", location(view), ""), 400, "BadRequestException: Invalid table metadata"},

		{post, "/v1/tables/rename", to("none", "ns", "t"), 404, "NoSuchTableException: Table does not exist: ns.none"},
		{post, "/v1/tables/rename", to("none", "non_existing", "t"), 404, "NoSuchTableException: Table does not exist: ns.none"},
		{post, "/v1/tables/rename", to("table", "non_existing", "t"), 404, "NoSuchNamespaceException: Namespace does not exist: non_existing"},
		{post, "/v1/tables/rename", to("table", "ns", "view"), 409, "AlreadyExistsException: Cannot rename ns.table to ns.view. View already exists"},
		{post, "/v1/tables/rename", to("table", "ns", "other"), 409, "AlreadyExistsException: Cannot rename ns.table to ns.other. Table already exists"},
		{post, "/v1/tables/rename", to("table", "ns", ""), 400, "BadRequestException: Field /destination: Name is empty"},
		{post, "/v1/tables/rename", to("view", "ns", "t"), 404, "NoSuchTableException: Table does not exist: ns.view"},

		{get, pathOf("none") + "/views", "", 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{post, pathOf("none") + "/views", viewIn("v"), 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{post, pathOf("ns") + "/views", viewIn("view"), 409, "AlreadyExistsException: View already exists: ns.view"},
		{post, pathOf("ns") + "/views", viewIn("table"), 409, "AlreadyExistsException: Table with same name already exists: ns.table"},
		{post, pathOf("ns") + "/views", twice, 400, "IllegalArgumentException: Invalid view version: Cannot add multiple queries for dialect trino"},
		{get, viewPath("none"), "", 404, "NoSuchViewException: View does not exist: ns.none"},
		{get, pathOf("none") + "/views/v", "", 404, "NoSuchViewException: View does not exist: none.v"},
		{get, viewPath("table"), "", 404, "NoSuchViewException: View does not exist: ns.table"},
		{del, viewPath("table"), "", 404, "NoSuchViewException: View does not exist: ns.table"},
		{post, viewPath("table"), setProperty("a", "b"), 404, "NoSuchViewException: View does not exist: ns.table"},
		{post, viewPath("view"), `{"requirements":[{"type":"assert-view-uuid","uuid":"x"}],"updates":[]}`, 409, "CommitFailedException: "},
		{post, pathOf("ns") + "/register-view", registration("view", location(view), ""), 409, "AlreadyExistsException: View already exists: ns.view"},
		{post, pathOf("ns") + "/register-view", registration("table", location(view), ""), 409, "AlreadyExistsException: Table with same name already exists: ns.table"},
		{post, pathOf("none") + "/register-view", registration("v", location(view), ""), 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{post, "/v1/views/rename", to("none", "non_existing", "v"), 404, "NoSuchNamespaceException: Namespace does not exist: non_existing"},
		{post, "/v1/views/rename", to("none", "ns", "v"), 404, "NoSuchViewException: View does not exist: ns.none"},
		{post, "/v1/views/rename", to("view", "ns", "table"), 409, "AlreadyExistsException: Cannot rename ns.view to ns.table. Table already exists"},
		{post, "/v1/views/rename", to("view", "ns", "view2"), 409, "AlreadyExistsException: Cannot rename ns.view to ns.view2. View already exists"},

		{get, pathOf("none") + "/functions", "", 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{get, pathOf("none") + "/functions/f", "", 404, "NoSuchNamespaceException: Namespace does not exist: none"},
		{get, pathOf("ns") + "/functions/f", "", 404, "NoSuchFunctionException: Function does not exist: ns.f"},
		{post, tablePath("table") + "/sign", bodyFor("signRequest"), 501, "UnsupportedOperationException: "},
	} {
		a := s.do(c.method, c.path, c.body)
		e, _ := a.body["error"].(map[string]any)
		if a.status != c.status || !strings.HasPrefix(a.message(), c.want) || e["code"] != float64(c.status) {
			t.Errorf("%s %s %.60s: %d %.300s\nwant %d %s", c.method, c.path, c.body, a.status, a.text, c.status, c.want)
		}
	}
	// None of that has changed anything.
	for path, want := range map[string]string{
		"/tables":    `{"identifiers":[{"name":"other","namespace":["ns"]},{"name":"table","namespace":["ns"]}]}`,
		"/views":     `{"identifiers":[{"name":"view","namespace":["ns"]},{"name":"view2","namespace":["ns"]}]}`,
		"/functions": `{"identifiers":[]}`,
	} {
		if a := s.do(http.MethodGet, pathOf("ns")+path, ""); a.text != want {
			t.Errorf("%s: %s", path, a.text)
		}
	}
	if now := s.do(http.MethodGet, tablePath("table"), ""); now.text != table.text {
		t.Errorf("the table has changed: %s", now.text)
	}
	if files := s.metadataFiles(); len(files) != 4 {
		t.Errorf("files were left behind: %q", files)
	}
}
