package catalog_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/onceberg/onceberg/catalog"
)

const idSchema = `{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"long"}]}`

// tablePath is a table's path, in the namespace ns.
func tablePath(name string) string { return pathOf("ns") + "/tables/" + url.QueryEscape(name) }

func viewPath(name string) string { return pathOf("ns") + "/views/" + url.QueryEscape(name) }

// must fails the test unless a request has a status.
func (s server) must(status int, a answer) answer {
	if a.status != status {
		s.fatal.Fatalf("answered %d %s, want %d", a.status, a.text, status)
	}
	return a
}

func (s server) createTable(name string, headers ...string) answer {
	return s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":`+jsonOf(name)+`,"schema":`+idSchema+`}`, headers...)
}

func (s server) createView(name string, headers ...string) answer {
	return s.do(http.MethodPost, pathOf("ns")+"/views", `{"name":`+jsonOf(name)+`,"schema":`+idSchema+`,"properties":{},"view-version":{`+
		`"version-id":1,"timestamp-ms":1,"schema-id":0,"summary":{"engine":"test"},"default-namespace":["ns"],`+
		`"representations":[{"type":"sql","sql":"select 1 as id","dialect":"trino"}]}}`, headers...)
}

func (s server) withNamespace() server {
	s.must(200, s.create("ns"))
	return s
}

func location(a answer) string {
	text, _ := a.body["metadata-location"].(string)
	return text
}

func metadata(a answer) map[string]any {
	m, _ := a.body["metadata"].(map[string]any)
	return m
}

// path is where a file: location is on the disk.
func path(location string) string {
	return strings.TrimPrefix(strings.TrimPrefix(location, "file:"), "//")
}

// setProperty is a commit that any state takes.
func setProperty(key, value string) string {
	return `{"requirements":[],"updates":[{"action":"set-properties","updates":` + jsonOf(map[string]string{key: value}) + `}]}`
}

// appendSnapshot is a commit of a snapshot on a branch that does not exist yet.
func appendSnapshot(id int) string {
	return fmt.Sprintf(`{"requirements":[{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":null}],"updates":[`+
		`{"action":"add-snapshot","snapshot":{"snapshot-id":%[1]d,"sequence-number":1,"timestamp-ms":%[2]d,"manifest-list":"file:/none/%[1]d.avro",`+
		`"summary":{"operation":"append"},"schema-id":0}},`+
		`{"action":"set-snapshot-ref","ref-name":"main","type":"branch","snapshot-id":%[1]d}]}`, id, 4102444800000)
}

// metadataFiles are the names of all metadata files of the warehouse.
func (s server) metadataFiles() []string {
	var found []string
	err := filepath.WalkDir(path(s.warehouse), func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(d.Name(), ".metadata.json") {
			found = append(found, p)
		}
		return nil
	})
	if err != nil {
		s.fatal.Fatalf("%v", err)
	}
	return found
}

func TestTableLife(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		created := s.must(200, s.createTable("t", newKey()...))
		if location(created) == "" || created.header["ETag"] == nil && created.header.Get("ETag") == "" {
			t.Errorf("%v %s", created.header, created.text)
		}
		loaded := s.must(200, s.do(http.MethodGet, tablePath("t"), ""))
		if loaded.text != created.text || loaded.header.Get("ETag") != created.header.Get("ETag") {
			t.Errorf("loaded %s, created %s", loaded.text, created.text)
		}
		updated := s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("a", "b"), newKey()...))
		if location(updated) == location(created) || metadata(updated)["properties"].(map[string]any)["a"] != "b" ||
			metadata(updated)["table-uuid"] != metadata(created)["table-uuid"] {
			t.Errorf("updated: %s", updated.text)
		}
		again := s.must(200, s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[]}`, newKey()...))
		if location(again) != location(updated) {
			t.Errorf("a commit that changes nothing wrote %s", location(again))
		}
		s.must(204, s.do(http.MethodPost, "/v1/tables/rename", renaming("t", "u"), newKey()...))
		s.must(404, s.do(http.MethodGet, tablePath("t"), ""))
		renamed := s.must(200, s.do(http.MethodGet, tablePath("u"), ""))
		if location(renamed) != location(updated) {
			t.Errorf("renamed: %s", renamed.text)
		}
		unregistered := s.must(200, s.do(http.MethodPost, tablePath("u")+"/unregister", "", newKey()...))
		if location(unregistered) != location(updated) {
			t.Errorf("unregistered: %s", unregistered.text)
		}
		body := `{"name":"t","metadata-location":` + jsonOf(location(updated)) + `}`
		registered := s.must(200, s.do(http.MethodPost, pathOf("ns")+"/register", body, newKey()...))
		if location(registered) != location(updated) || registered.header.Get("ETag") != renamed.header.Get("ETag") {
			t.Errorf("registered: %s", registered.text)
		}
		s.must(204, s.do(http.MethodDelete, tablePath("t"), "", newKey()...))
		s.must(404, s.do(http.MethodDelete, tablePath("t"), "", newKey()...))
		if len(s.metadataFiles()) != 2 {
			t.Errorf("a plain drop leaves the files: %q", s.metadataFiles())
		}
		s.must(204, s.do(http.MethodDelete, pathOf("ns"), "", newKey()...))
	})
}

func renaming(from, to string) string {
	return fmt.Sprintf(`{"source":{"namespace":["ns"],"name":%q},"destination":{"namespace":["ns"],"name":%q}}`, from, to)
}

// Case C4: of twenty commits made from one state, one is applied; the others
// are told to refresh, and leave no file behind.
func TestParallelCommits(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		s.must(200, s.createTable("t"))
		const callers = 20
		var wg sync.WaitGroup
		answers := make(chan answer, callers)
		for i := range callers {
			wg.Go(func() {
				answers <- s.do(http.MethodPost, tablePath("t"), appendSnapshot(i+1), newKey()...)
			})
		}
		wg.Wait()
		close(answers)
		won := 0
		for a := range answers {
			switch {
			case a.status == 200:
				won++
			case a.status != 409 || !strings.HasPrefix(a.message(), "CommitFailedException: Requirement failed: branch main was created concurrently"):
				t.Errorf("%d %s", a.status, a.text)
			}
		}
		if won != 1 {
			t.Errorf("%d commits were applied", won)
		}
		if files := s.metadataFiles(); len(files) != 2 {
			t.Errorf("%d files: %q", len(files), files)
		}
	})
}

// Commits that do not exclude one another are all applied, whoever was first.
func TestCommitsThatFitAreAllApplied(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		s.must(200, s.createTable("t"))
		const callers = 8
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				a := s.do(http.MethodPost, tablePath("t"), setProperty(fmt.Sprint("key", i), "x"), newKey()...)
				if a.status != 200 {
					t.Errorf("%d %s", a.status, a.text)
				}
			})
		}
		wg.Wait()
		loaded := s.do(http.MethodGet, tablePath("t"), "")
		if properties, _ := metadata(loaded)["properties"].(map[string]any); len(properties) < callers {
			t.Errorf("%d of %d properties: %v", len(properties), callers, properties)
		}
	})
}

// Of many that create one name, as a table or as a view, one succeeds, and a
// namespace that is dropped meanwhile leaves no orphan.
func TestParallelCreates(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		const callers = 10
		var wg sync.WaitGroup
		statuses := make(chan int, callers)
		for i := range callers {
			wg.Go(func() {
				if i%2 == 0 {
					statuses <- s.createTable("x", newKey()...).status
				} else {
					statuses <- s.createView("x", newKey()...).status
				}
			})
		}
		wg.Wait()
		close(statuses)
		count := map[int]int{}
		for status := range statuses {
			count[status]++
		}
		if count[200] != 1 || count[409] != callers-1 || len(s.metadataFiles()) != 1 {
			t.Errorf("%v, files %q", count, s.metadataFiles())
		}
		for i := range 5 {
			name := fmt.Sprint("n", i)
			s.must(200, s.create(name))
			var created, dropped answer
			wg.Go(func() {
				created = s.do(http.MethodPost, pathOf(name)+"/tables", `{"name":"t","schema":`+idSchema+`}`, newKey()...)
			})
			wg.Go(func() { dropped = s.do(http.MethodDelete, pathOf(name), "", newKey()...) })
			wg.Wait()
			there := s.do(http.MethodGet, pathOf(name)+"/tables/t", "").status == 200
			switch {
			case created.status == 200 && dropped.status == 409 && there, created.status == 404 && dropped.status == 204 && !there:
			default:
				t.Errorf("create %d %s, drop %d %s, there %v", created.status, created.text, dropped.status, dropped.text, there)
			}
		}
	})
}

// Cases C2 and C3: many tables, all or nothing, one of them new.
func TestTransaction(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		before := s.must(200, s.createTable("t1"))
		s.must(200, s.createTable("t2"))
		change := func(name, body string) string {
			return `{"identifier":{"namespace":["ns"],"name":` + jsonOf(name) + `},` + strings.TrimPrefix(body, "{")
		}
		stale := `{"requirements":[{"type":"assert-current-schema-id","current-schema-id":7}],"updates":[]}`
		commit := func(changes ...string) string { return `{"table-changes":[` + strings.Join(changes, ",") + `]}` }
		key := newKey()
		body := commit(change("t1", setProperty("a", "b")), change("t2", stale))
		first := s.must(409, s.do(http.MethodPost, "/v1/transactions/commit", body, key...))
		if first.message() != "CommitFailedException: Requirement failed: current schema changed: expected id 7 != 0" {
			t.Error(first.text)
		}
		if again := s.must(409, s.do(http.MethodPost, "/v1/transactions/commit", body, key...)); again.text != first.text {
			t.Error(again.text)
		}
		if now := s.do(http.MethodGet, tablePath("t1"), ""); location(now) != location(before) || len(s.metadataFiles()) != 2 {
			t.Errorf("half of the transaction is there: %s, files %q", now.text, s.metadataFiles())
		}
		staged := s.must(200, s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"n","stage-create":true,"schema":`+idSchema+`}`))
		creation := creationOf(staged)
		s.must(204, s.do(http.MethodPost, "/v1/transactions/commit", commit(change("n", creation), change("t1", setProperty("a", "b"))), newKey()...))
		s.must(200, s.do(http.MethodGet, tablePath("n"), ""))
		a := s.must(409, s.do(http.MethodPost, "/v1/transactions/commit", commit(change("t1", setProperty("a", "c")), change("n", creation)), newKey()...))
		if !strings.HasPrefix(a.message(), "CommitFailedException: Requirement failed: table already exists") {
			t.Error(a.text)
		}
		if now := s.do(http.MethodGet, tablePath("t1"), ""); metadata(now)["properties"].(map[string]any)["a"] != "b" {
			t.Error(now.text)
		}
		for body, status := range map[string]int{
			commit(): 400, `{"table-changes":[` + setProperty("a", "b") + `]}`: 400, commit(change("none", setProperty("a", "b"))): 404,
			commit(change("t1", setProperty("a", "b")), change("t2", `{"requirements":[{"type":"unknown"}],"updates":[]}`)): 400,
		} {
			s.must(status, s.do(http.MethodPost, "/v1/transactions/commit", body, newKey()...))
		}
	})
}

// creationOf is the commit that creates a staged table.
func creationOf(staged answer) string {
	m := metadata(staged)
	return jsonOf(map[string]any{
		"requirements": []any{map[string]any{"type": "assert-create"}},
		"updates": []any{
			map[string]any{"action": "assign-uuid", "uuid": m["table-uuid"]},
			map[string]any{"action": "upgrade-format-version", "format-version": 2},
			map[string]any{"action": "add-schema", "schema": m["schemas"].([]any)[0], "last-column-id": 1},
			map[string]any{"action": "set-current-schema", "schema-id": -1},
			map[string]any{"action": "add-spec", "spec": m["partition-specs"].([]any)[0]},
			map[string]any{"action": "set-default-spec", "spec-id": -1},
			map[string]any{"action": "add-sort-order", "sort-order": m["sort-orders"].([]any)[0]},
			map[string]any{"action": "set-default-sort-order", "sort-order-id": -1},
			map[string]any{"action": "set-location", "location": m["location"]},
		},
	})
}

// Transactions that hold the same tables in another order do not lock each other
// out.
func TestCrossingTransactions(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		names := []string{"a", "b", "c"}
		for _, name := range names {
			s.must(200, s.createTable(name))
		}
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				var changes []string
				for j := range names {
					name := names[(i+j)%3]
					if i%2 == 0 {
						name = names[(i-j+6)%3]
					}
					changes = append(changes, `{"identifier":{"namespace":["ns"],"name":"`+name+`"},`+setProperty(fmt.Sprint("k", i), "v")[1:])
				}
				a := s.do(http.MethodPost, "/v1/transactions/commit", `{"table-changes":[`+strings.Join(changes, ",")+`]}`, newKey()...)
				if a.status != 204 {
					t.Errorf("%d %s", a.status, a.text)
				}
			})
		}
		wg.Wait()
		for _, name := range names {
			properties := metadata(s.do(http.MethodGet, tablePath(name), ""))["properties"].(map[string]any)
			for i := range 6 {
				if properties[fmt.Sprint("k", i)] != "v" {
					t.Errorf("%s lacks k%d: %v", name, i, properties)
				}
			}
		}
	})
}

// Case C11: a staged table has no file and is not there until the commit.
func TestStagedCreate(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		key := newKey()
		body := `{"name":"n","stage-create":true,"schema":` + idSchema + `}`
		staged := s.must(200, s.do(http.MethodPost, pathOf("ns")+"/tables", body, key...))
		if location(staged) != "" || staged.header.Get("ETag") != "" || len(s.metadataFiles()) != 0 {
			t.Errorf("%v %s", staged.header, staged.text)
		}
		s.must(404, s.do(http.MethodGet, tablePath("n"), ""))
		if len(key) > 0 && s.keyed {
			if again := s.must(200, s.do(http.MethodPost, pathOf("ns")+"/tables", body, key...)); again.text != staged.text {
				t.Errorf("replayed %s, first %s", again.text, staged.text)
			}
		}
		created := s.must(200, s.do(http.MethodPost, tablePath("n"), creationOf(staged), newKey()...))
		if location(created) == "" || metadata(created)["table-uuid"] != metadata(staged)["table-uuid"] {
			t.Error(created.text)
		}
		s.must(409, s.do(http.MethodPost, pathOf("ns")+"/tables", body))
		a := s.must(409, s.do(http.MethodPost, tablePath("n"), creationOf(staged), newKey()...))
		if !strings.HasPrefix(a.message(), "CommitFailedException: Requirement failed: table already exists") {
			t.Error(a.text)
		}
	})
}

// 304 only for the same version in the same mode, and never when the file is
// gone.
func TestConditionalLoad(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{}).withNamespace()
	s.must(200, s.createTable("t"))
	s.must(200, s.do(http.MethodPost, tablePath("t"), appendSnapshot(1)))
	all := s.must(200, s.do(http.MethodGet, tablePath("t")+"?snapshots=all", ""))
	refs := s.must(200, s.do(http.MethodGet, tablePath("t")+"?snapshots=refs", ""))
	tag := all.header["Etag"]
	if len(tag) != 1 || tag[0] == refs.header.Get("ETag") || location(all) != location(refs) {
		t.Fatalf("%v, %v", all.header, refs.header)
	}
	for given, status := range map[string]int{
		tag[0]: 304, "W/" + tag[0]: 304, `"x", ` + tag[0]: 304, "*": 304, `"x"`: 200, refs.header.Get("ETag"): 200,
	} {
		if a := s.do(http.MethodGet, tablePath("t"), "", "If-None-Match", given); a.status != status || status == 304 && a.text != "" {
			t.Errorf("%s: %d", given, a.status)
		}
	}
	s.must(400, s.do(http.MethodGet, tablePath("t")+"?snapshots=some", ""))
	s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("a", "b")))
	changed := s.must(200, s.do(http.MethodGet, tablePath("t"), "", "If-None-Match", tag[0]))
	if err := os.Remove(path(location(changed))); err != nil {
		t.Fatal(err)
	}
	a := s.must(404, s.do(http.MethodGet, tablePath("t"), "", "If-None-Match", changed.header.Get("ETag")))
	if a.message() != "NotFoundException: Failed to open input stream for file: "+location(changed) {
		t.Error(a.text)
	}
}
