package catalog_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/onceberg/onceberg/generated"
)

// call is a request of an operation.
type call struct {
	operation, method, path, body string
	status                        int
}

// mutations are one call of each operation that takes a key, in an order in which
// all can be done: on a namespace ns with the table t and the view v.
func (s server) mutations() []call {
	dropped := s.must(200, s.createTable("dropped"))
	s.must(204, s.do(http.MethodDelete, tablePath("dropped"), ""))
	droppedView := s.must(200, s.createView("dropped"))
	s.must(204, s.do(http.MethodDelete, viewPath("dropped"), ""))
	plan, _ := s.must(200, s.do(http.MethodPost, tablePath("t")+"/plan", "{}")).body["plan-id"].(string)
	file := func(name string, a answer) string {
		return jsonOf(map[string]string{"name": name, "metadata-location": location(a)})
	}
	change := `{"table-changes":[{"identifier":{"namespace":["ns"],"name":"t"},` + appendSnapshot(1)[1:] + `]}`
	view := `{"name":"v1","schema":` + idSchema + `,"properties":{},"view-version":{"version-id":1,"timestamp-ms":1,"schema-id":0,` +
		`"summary":{},"default-namespace":["ns"],"representations":[{"type":"sql","sql":"select 1 as id","dialect":"trino"}]}}`
	ns := pathOf("ns")
	return []call{
		{"createNamespace", http.MethodPost, "/v1/namespaces", `{"namespace":["more"]}`, 200},
		{"updateProperties", http.MethodPost, pathOf("more") + "/properties", `{"updates":{"a":"b"}}`, 200},
		{"createTable", http.MethodPost, ns + "/tables", `{"name":"n","schema":` + idSchema + `}`, 200},
		{"registerTable", http.MethodPost, ns + "/register", file("r", dropped), 200},
		{"planTableScan", http.MethodPost, tablePath("t") + "/plan", "{}", 200},
		// A refusal that is final is replayed like a success.
		{"fetchScanTasks", http.MethodPost, tablePath("t") + "/tasks", `{"plan-task":"none"}`, 404},
		{"cancelPlanning", http.MethodDelete, tablePath("t") + "/plan/" + plan, "", 204},
		{"updateTable", http.MethodPost, tablePath("t"), setProperty("a", "b"), 200},
		{"commitTransaction", http.MethodPost, "/v1/transactions/commit", change, 204},
		{"renameTable", http.MethodPost, "/v1/tables/rename", renaming("t", "t2"), 204},
		{"unregisterTable", http.MethodPost, tablePath("t2") + "/unregister", "", 200},
		{"dropTable", http.MethodDelete, tablePath("n"), "", 204},
		{"createView", http.MethodPost, ns + "/views", view, 200},
		{"replaceView", http.MethodPost, viewPath("v"), setProperty("a", "b"), 200},
		{"registerView", http.MethodPost, ns + "/register-view", file("rv", droppedView), 200},
		{"renameView", http.MethodPost, "/v1/views/rename", renaming("v", "v2"), 204},
		{"dropView", http.MethodDelete, viewPath("v2"), "", 204},
		{"dropNamespace", http.MethodDelete, pathOf("more"), "", 204},
	}
}

// Case A21: every mutation is executed once and answered alike, views' creation
// included; a replay has the state that the first attempt made, whatever came
// after it.
func TestReplays(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		if !s.keyed {
			return
		}
		s.withNamespace()
		s.must(200, s.createTable("t"))
		s.must(200, s.createView("v"))
		all := s.mutations()
		for _, op := range generated.Operations {
			if op.Idempotent != slices.ContainsFunc(all, func(c call) bool { return c.operation == op.ID && c.method == op.Method }) {
				t.Errorf("%s takes a key: %v; the test has a call of it: %v", op.ID, op.Idempotent, !op.Idempotent)
			}
		}
		for _, c := range all {
			key := newKey()
			first := s.must(c.status, s.do(c.method, c.path, c.body, key...))
			if first.header.Get("Idempotency-Replayed") != "" {
				t.Errorf("%s: the first attempt is a replay", c.operation)
			}
			for range 2 {
				again := s.do(c.method, c.path, c.body, key...)
				if again.status != first.status || again.text != first.text || again.header.Get("Idempotency-Replayed") != "true" ||
					again.header.Get("ETag") != first.header.Get("ETag") {
					t.Errorf("%s: first %d %v %s\nagain %d %v %s", c.operation,
						first.status, first.header, first.text, again.status, again.header, again.text)
				}
			}
		}
	})
}

// Case A21: reads ignore the header, whatever it holds: no record is made, none is
// looked for.
func TestReadsIgnoreKeys(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		used := newKey()
		s.must(200, s.createTable("t", used...))
		s.must(200, s.createView("v"))
		plan, _ := s.must(200, s.do(http.MethodPost, tablePath("t")+"/plan", "{}")).body["plan-id"].(string)
		before := s.records(t)
		reads := []call{
			{"getConfig", http.MethodGet, "/v1/config", "", 200},
			{"listNamespaces", http.MethodGet, "/v1/namespaces", "", 200},
			{"loadNamespaceMetadata", http.MethodGet, pathOf("ns"), "", 200},
			{"namespaceExists", http.MethodHead, pathOf("ns"), "", 204},
			{"listTables", http.MethodGet, pathOf("ns") + "/tables", "", 200},
			{"loadTable", http.MethodGet, tablePath("t"), "", 200},
			{"tableExists", http.MethodHead, tablePath("t"), "", 204},
			{"loadCredentials", http.MethodGet, tablePath("t") + "/credentials", "", 200},
			{"fetchPlanningResult", http.MethodGet, tablePath("t") + "/plan/" + plan, "", 200},
			{"listViews", http.MethodGet, pathOf("ns") + "/views", "", 200},
			{"loadView", http.MethodGet, viewPath("v"), "", 200},
			{"viewExists", http.MethodHead, viewPath("v"), "", 204},
			{"listFunctions", http.MethodGet, pathOf("ns") + "/functions", "", 200},
			{"loadFunction", http.MethodGet, pathOf("ns") + "/functions/f", "", 404},
		}
		for _, op := range generated.Operations {
			isRead := op.Method == http.MethodGet || op.Method == http.MethodHead
			if isRead && !slices.ContainsFunc(reads, func(c call) bool { return c.operation == op.ID }) {
				t.Errorf("the test has no call of %s", op.ID)
			}
		}
		for _, c := range reads {
			plain := s.must(c.status, s.do(c.method, c.path, ""))
			for _, key := range [][]string{used, newKey(), {"Idempotency-Key", "no key"}, {"Idempotency-Key", ""}} {
				a := s.do(c.method, c.path, "", key...)
				if a.status != plain.status || a.text != plain.text || a.header.Get("Idempotency-Replayed") != "" {
					t.Errorf("%s with the key %q: %d %s, without %d %s", c.operation, key[1], a.status, a.text, plain.status, plain.text)
				}
			}
		}
		if after := s.records(t); after != before {
			t.Errorf("%d records, %d before the reads", after, before)
		}
	})
}

// records counts those in the catalog's own database.
func (s server) records(t *testing.T) (n int) {
	t.Helper()
	if !s.transactional {
		return 0
	}
	if err := s.db.NewRaw(`SELECT count(*) FROM iceberg_idempotency_key_meta`).Scan(t.Context(), &n); err != nil || n == 0 {
		t.Fatalf("%d records, %v", n, err)
	}
	return n
}
