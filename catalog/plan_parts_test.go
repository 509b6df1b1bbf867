package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/runtime"
)

// A large plan comes in parts, each file once, whatever is committed meanwhile
// and whoever is asked for the parts.
func TestPlanInParts(t *testing.T) {
	t.Parallel()
	config := complete(t, catalog.Config{}, dsns["sqlite"](t))
	l := newLake(t, listen(t, config, ""))
	const files = 4100
	made := l.fill(l.table("t", false, nil), files)
	r := l.plan("t", `{}`)
	if len(r.Tasks) != 2000 || len(r.PlanTasks) != 2 {
		t.Fatalf("%d files, %d tasks", len(r.Tasks), len(r.PlanTasks))
	}
	l.append(made, row(1, "a", "2024-01-01"))
	other := &lake{server: listen(t, config, ""), t: t}
	found := map[string]bool{}
	for _, task := range other.all("t", r) {
		found[task.path()] = true
	}
	if len(found) != files {
		t.Errorf("%d files in all parts", len(found))
	}
	again := other.read(other.do(http.MethodGet, tablePath("t")+"/plan/"+r.ID, ""))
	if len(again.Tasks) != 2000 || !slices.Equal(again.PlanTasks, r.PlanTasks) {
		t.Errorf("fetched again: %d files, %d tasks", len(again.Tasks), len(again.PlanTasks))
	}
}

// What is not known any more, or never was, is told apart from a table that is
// not there.
func TestUnknownPlans(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.fill(l.table("t", false, nil), 2001)
	r := l.plan("t", `{}`)
	l.table("other", false, nil)
	noise := rand.New(rand.NewPCG(1, 2))
	value := make([]byte, 8<<10)
	for i := range value {
		value[i] = 'a' + byte(noise.IntN(26))
	}
	long := l.plan("t", `{"filter":{"type":"not-eq","term":"kind","value":"`+string(value)+`"}}`)
	expire := l.append(made, row(1, "a", "2024-01-01")).NewTransaction()
	if err := expire.ExpireSnapshots(table.WithOlderThan(0), table.WithRetainLast(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := expire.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	task := func(text string) string { return jsonOf(map[string]string{"plan-task": text}) }
	for _, c := range []struct{ method, path, body, want string }{
		{http.MethodGet, tablePath("t") + "/plan/x", "", "404 NoSuchPlanIdException: Plan does not exist: it was not made by this server"},
		{http.MethodDelete, tablePath("t") + "/plan/x", "", "404 NoSuchPlanIdException"},
		{http.MethodPost, tablePath("t") + "/tasks", task("x"), "404 NoSuchPlanTaskException: Plan task does not exist: it was not made"},
		{http.MethodGet, tablePath("t") + "/plan/" + r.ID, "", "404 NoSuchPlanIdException"},
		{http.MethodGet, tablePath("t") + "/plan/" + long.ID, "", "404 NoSuchPlanIdException: Plan does not exist: its filter was too long"},
		{http.MethodPost, tablePath("t") + "/tasks", task(r.PlanTasks[0]), "404 NoSuchPlanTaskException"},
		{http.MethodGet, tablePath("other") + "/plan/" + r.ID, "", "404 NoSuchPlanIdException"},
		{http.MethodDelete, tablePath("other") + "/plan/" + r.ID, "", "404 NoSuchPlanIdException: Plan does not exist: it is of another table"},
		{http.MethodPost, tablePath("other") + "/tasks", task(r.PlanTasks[0]), "404 NoSuchPlanTaskException"},
		{http.MethodDelete, tablePath("t") + "/plan/" + r.ID, "", "204 "},
		{http.MethodGet, tablePath("none") + "/plan/x", "", "404 NoSuchTableException"},
		{http.MethodDelete, tablePath("none") + "/plan/x", "", "404 NoSuchTableException"},
		{http.MethodPost, tablePath("none") + "/plan", "{}", "404 NoSuchTableException"},
		{http.MethodPost, tablePath("none") + "/tasks", task("x"), "404 NoSuchTableException"},
	} {
		a := l.do(c.method, c.path, c.body)
		if got := fmt.Sprint(a.status, " ", a.message()); !strings.HasPrefix(got, c.want) && !(a.status == 204 && c.want == "204 ") {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
}

// Whoever wrote a table's UUID, and if nobody did, its plans are its own.
func TestPlanIDsOfOldTables(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.table("t", false, iceberg.Properties{"format-version": "1"})
	text, err := os.ReadFile(path(made.MetadataLocation()))
	if err != nil {
		t.Fatal(err)
	}
	id := made.Metadata().TableUUID().String()
	unwatched := l.server // the document wants a UUID of every table
	unwatched.client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for name, changed := range map[string]string{
		"upper": strings.Replace(string(text), id, strings.ToUpper(id), 1), "none": strings.Replace(string(text), `"table-uuid":"`+id+`",`, "", 1),
	} {
		file := path(made.Location()) + "/metadata/" + name + ".metadata.json"
		if changed == string(text) || os.WriteFile(file, []byte(changed), 0o600) != nil {
			t.Fatalf("%s: %s", name, changed)
		}
		l.must(200, unwatched.do(http.MethodPost, pathOf("ns")+"/register", jsonOf(map[string]string{"name": name, "metadata-location": "file:" + file})))
		r := l.plan(name, `{}`)
		l.must(200, l.do(http.MethodGet, tablePath(name)+"/plan/"+r.ID, ""))
		l.must(204, l.do(http.MethodDelete, tablePath(name)+"/plan/"+r.ID, ""))
	}
}

// One key is one plan: a retry gets the first answer, though the table has moved
// on, and the record of it is small.
func TestPlansAreReplayed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dsn  string
		mode runtime.Mode
	}{
		"sqlite": {dsns["sqlite"](t), runtime.ModeTransactional}, "postgres": {dsns["postgres"](t), runtime.ModeTransactional},
		"two-phase": {dsns["sqlite"](t), runtime.ModeTwoPhase},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLake(t, listen(t, complete(t, catalog.Config{Credentials: &vendor{}}, c.dsn), c.mode))
			made := l.fill(l.table("t", false, nil), 2001)
			delegation := []string{"X-Iceberg-Access-Delegation", "vended-credentials"}
			planKey, tasksKey, cancelKey := append(newKey(), delegation...), newKey(), newKey()
			body := `{"filter":{"type":"not-null","term":"id"}}`
			first := l.plan("t", body, planKey...)
			task := jsonOf(map[string]string{"plan-task": first.PlanTasks[0]})
			send := map[string]func() answer{
				"plan":   func() answer { return l.do(http.MethodPost, tablePath("t")+"/plan", body, planKey...) },
				"tasks":  func() answer { return l.do(http.MethodPost, tablePath("t")+"/tasks", task, tasksKey...) },
				"cancel": func() answer { return l.do(http.MethodDelete, tablePath("t")+"/plan/"+first.ID, "", cancelKey...) },
			}
			before := map[string]answer{}
			for name, request := range send {
				before[name] = request()
			}
			l.append(made, row(1, "a", "2024-01-01"))
			for name, request := range send {
				after := request()
				if after.status != before[name].status || withoutSecret(after) != withoutSecret(before[name]) || after.header.Get("Idempotency-Replayed") != "true" {
					t.Errorf("%s: first %d %.300s\nagain %d %v %.300s", name, before[name].status, before[name].text, after.status, after.header, after.text)
				}
			}
			if one, two := secretOf(before["plan"]), secretOf(send["plan"]()); one == "" || two == "" || one == two {
				t.Errorf("credentials %q, then %q", one, two)
			}
			l.must(204, l.do(http.MethodDelete, tablePath("t"), ""))
			if a := send["tasks"](); a.status != 200 || a.text != before["tasks"].text {
				t.Errorf("after a drop: %d %.300s", a.status, a.text)
			}
			other := l.do(http.MethodPost, tablePath("t")+"/plan", `{}`, planKey...)
			if other.status != 422 {
				t.Errorf("another request with the key: %d %s", other.status, other.text)
			}
			if c.mode == runtime.ModeTransactional {
				l.smallRecords()
			}
		})
	}
}

// withoutSecret is an answer but for the credentials, which are fresh each time.
func withoutSecret(a answer) string { return strings.Replace(a.text, secretOf(a), "", 1) }

// smallRecords fails the test if a record keeps an answer.
func (l *lake) smallRecords() {
	l.t.Helper()
	var sizes []int
	if err := l.db.NewRaw("SELECT LENGTH(response_summary) FROM iceberg_idempotency_key_meta").Scan(l.t.Context(), &sizes); err != nil {
		l.t.Fatal(err)
	}
	if len(sizes) < 3 || slices.Max(sizes) > 1000 {
		l.t.Errorf("records of %v bytes", sizes)
	}
}
