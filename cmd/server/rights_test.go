package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store/sqlstore"
)

// hangUp makes the server read its files again, and waits until it says so. The
// signal reaches the whole process, so that no other server may run beside.
func (p *process) hangUp(message string) {
	p.t.Helper()
	before := len(p.stderr.String())
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		p.t.Fatal(err)
	}
	deadline := time.After(patience)
	for !strings.Contains(p.stderr.String()[before:], message) {
		select {
		case <-p.stderr.written:
		case <-deadline:
			p.t.Fatalf("no %q in\n%s", message, p.stderr.String()[before:])
		}
	}
}

const (
	reread    = "read the files again"
	notReread = "could not be read again"
)

func rewrite(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// office is a server with rules and two tables, to which alice and bob have every
// right, dave some to the first table, and carol none.
type office struct {
	*process
	rules, database string
}

const (
	officeRules = `rules:
  - {principal: alice, actions: ["*"], namespace: "**"}
  - {principal: bob, actions: ["*"], namespace: ns}
  - {principal: dave, actions: [read, write], namespace: ns, name: t1}
`
	idSchema  = `{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"long"}]}`
	inRecords = "--idempotency.store-type=sql"
)

func newOffice(t *testing.T, args ...string) office {
	t.Helper()
	o := office{rules: writeFile(t, "rules.yaml", officeRules), database: "sqlite:" + filepath.Join(t.TempDir(), "catalog.db")}
	var tokens strings.Builder
	for _, who := range []string{"alice", "bob", "carol", "dave"} {
		tokens.WriteString(tokenLine("token-of-"+who, who))
	}
	o.process = start(t, append(args, "--idempotency.enabled", "--auth.type=tokens", "--auth.tokens-file", writeFile(t, "tokens", tokens.String()),
		"--auth.rules-file", o.rules, "--catalog.dsn", o.database, "--catalog.io=s3.secret-access-key=s3cr3t")...)
	for _, c := range []struct{ path, body string }{
		{"/v1/namespaces", `{"namespace":["ns"]}`},
		{"/v1/namespaces/ns/tables", `{"name":"t1","schema":` + idSchema + `}`},
		{"/v1/namespaces/ns/tables", `{"name":"t2","schema":` + idSchema + `}`},
	} {
		if a := o.as("alice", http.MethodPost, c.path, c.body); a.status != 200 {
			t.Fatalf("%s: %d %s", c.path, a.status, a.text)
		}
	}
	return o
}

func (o office) as(who, method, path, body string, headers ...string) answer {
	o.t.Helper()
	return o.do(method, path, body, append(headers, "Authorization", "Bearer token-of-"+who)...)
}

// records is the table of records as the database has it.
func (o office) records() string {
	o.t.Helper()
	db, err := sqlstore.OpenDB(o.t.Context(), o.database, sqlstore.Options{})
	if err != nil {
		o.t.Fatal(err)
	}
	defer db.Close()
	var rows []map[string]any
	if err := db.NewRaw("SELECT * FROM iceberg_idempotency_key_meta ORDER BY idempotency_key").Scan(o.t.Context(), &rows); err != nil {
		o.t.Fatal(err)
	}
	var text strings.Builder
	for _, row := range rows {
		for column, value := range row {
			if raw, isBytes := value.([]byte); isBytes {
				row[column] = string(raw)
			}
		}
		fmt.Fprintln(&text, row)
	}
	return text.String()
}

// Case A2: another caller with somebody's key and request gets neither its answer
// nor a word of it, and no secret is in the record.
func TestSomebodyElsesKey(t *testing.T) {
	t.Parallel()
	o, key := newOffice(t, inRecords), newKey(t)
	create := func(who string) answer {
		return o.as(who, http.MethodPost, "/v1/namespaces/ns/tables", `{"name":"new","schema":`+idSchema+`}`,
			"Idempotency-Key", key, "X-Iceberg-Access-Delegation", "vended-credentials")
	}
	first := create("alice")
	location, _ := first.body["metadata-location"].(string)
	if first.status != 200 || location == "" {
		t.Fatalf("%d %s", first.status, first.text)
	}
	before := o.records()
	for who, want := range map[string]string{"bob": "422 IdempotencyKeyReusedException", "carol": "403 ForbiddenException"} {
		a := create(who)
		if got := fmt.Sprint(a.status, " ", a.typ()); got != want || strings.Contains(a.text, location) || a.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%s: %d %v %s", who, a.status, a.header, a.text)
		}
	}
	if again := create("alice"); again.text != first.text || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d %s", again.status, again.text)
	}
	after := o.records()
	if after != before || !strings.Contains(after, key) {
		t.Errorf("the record was\n%s\nand is\n%s", before, after)
	}
	for _, secret := range []string{"token-of-alice", "s3cr3t", "alice"} {
		if strings.Contains(after, secret) {
			t.Errorf("%s is in the record: %s", secret, after)
		}
	}
}

// Case A3: a right that is gone is gone for retries too, even of a drop whose
// table is gone as well. The record waits for the right to come back.
func TestLostRight(t *testing.T) {
	for name, args := range map[string][]string{"in-memory": nil, "sql": {inRecords}} {
		t.Run(name, func(t *testing.T) {
			o, key := newOffice(t, args...), newKey(t)
			drop := func(status int, replayed string) {
				t.Helper()
				a := o.as("alice", http.MethodDelete, "/v1/namespaces/ns/tables/t1", "", "Idempotency-Key", key)
				if a.status != status || a.header.Get("Idempotency-Replayed") != replayed {
					t.Errorf("%d %v %s", a.status, a.header, a.text)
				}
				if status == 403 && (a.typ() != "ForbiddenException" || !strings.Contains(a.text, "Not authorized to drop table ns.t1")) {
					t.Error(a.text)
				}
			}
			drop(204, "")
			before := o.records()
			rewrite(t, o.rules, strings.Replace(officeRules, `["*"], namespace: "**"`, `[list, read, write, create], namespace: "**"`, 1))
			o.hangUp(reread)
			drop(403, "")
			drop(403, "")
			rewrite(t, o.rules, "rules:\n  - {principal: alice, actions: ")
			o.hangUp(notReread)
			drop(403, "")
			if after := o.records(); after != before || name == "sql" && !strings.Contains(after, key) {
				t.Errorf("the record was\n%s\nand is\n%s", before, after)
			}
			rewrite(t, o.rules, officeRules)
			o.hangUp(reread)
			drop(204, "true")
			if err := os.Remove(o.rules); err != nil {
				t.Fatal(err)
			}
			o.hangUp(notReread)
			drop(204, "true")
		})
	}
}

// Case C2: who lacks the right on one table of a transaction changes none, and
// the refusal does not take the key.
func TestTransactionWithoutARight(t *testing.T) {
	t.Parallel()
	o, key := newOffice(t, inRecords), newKey(t)
	change := func(name string) string {
		return `{"identifier":{"namespace":["ns"],"name":"` + name + `"},"requirements":[],` +
			`"updates":[{"action":"set-properties","updates":{"by":"dave"}}]}`
	}
	commit := func(changes ...string) answer {
		return o.as("dave", http.MethodPost, "/v1/transactions/commit", `{"table-changes":[`+strings.Join(changes, ",")+`]}`, "Idempotency-Key", key)
	}
	load := func() string { return o.as("dave", http.MethodGet, "/v1/namespaces/ns/tables/t1", "").text }
	before, records := load(), o.records()
	for _, other := range []string{"t2", "missing"} {
		a := commit(change("t1"), change(other))
		if a.status != 403 || a.typ() != "ForbiddenException" || !strings.Contains(a.text, "write table ns."+other) {
			t.Errorf("%d %s", a.status, a.text)
		}
	}
	if after := load(); after != before || o.records() != records {
		t.Errorf("t1 was\n%s\nand is\n%s", before, after)
	}
	if a := commit(change("t1")); a.status != 204 || a.header.Get("Idempotency-Replayed") != "" || load() == before {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// Rules are about what there may be, on the server as it is configured: names are
// split at its separator, and a refusal is the same for what there is not.
func TestRights(t *testing.T) {
	t.Parallel()
	o := newOffice(t, "--catalog.namespace-separator=%2E")
	for _, c := range []struct {
		who, method, path, body string
		status                  int
	}{
		{"alice", "POST", "/v1/namespaces", `{"namespace":["ns","below"]}`, 200},
		{"bob", "GET", "/v1/namespaces/ns", "", 200},
		{"bob", "GET", "/v1/namespaces/ns%2Ebelow", "", 403},
		{"bob", "GET", "/v1/namespaces/ns%1Fbelow", "", 403},
		{"bob", "GET", "/v1/namespaces?parent=ns", "", 200},
		{"bob", "GET", "/v1/namespaces?parent=ns.below", "", 403},
		{"bob", "GET", "/v1/namespaces", "", 403},
		{"bob", "POST", "/v1/tables/rename", `{"source":{"namespace":["ns"],"name":"t2"},"destination":{"namespace":["ns","below"],"name":"t2"}}`, 403},
		{"bob", "POST", "/v1/tables/rename", `{"source":{"namespace":["other"],"name":"t2"},"destination":{"namespace":["ns"],"name":"t3"}}`, 403},
		{"bob", "POST", "/v1/tables/rename", `{"source":{"namespace":["ns"],"name":"t2"},"destination":{"namespace":["ns"],"name":"t3"}}`, 204},
		{"dave", "GET", "/v1/namespaces/ns/tables/t1", "", 200},
		{"dave", "GET", "/v1/namespaces/ns/tables/missing", "", 403},
		{"dave", "GET", "/v1/namespaces/ns/tables/t3", "", 403},
		{"dave", "HEAD", "/v1/namespaces/ns/tables/t3", "", 403},
		{"dave", "GET", "/v1/namespaces/ns/tables", "", 403},
		{"dave", "GET", "/v1/namespaces/ns/views/t1", "", 404},
		{"carol", "GET", "/v1/config", "", 200},
		{"carol", "GET", "/v1/namespaces", "", 403},
		{"carol", "POST", "/v1/namespaces", `{"namespace":`, 400},
		{"carol", "POST", "/v1/namespaces", `{"name` + "\u017f" + `pace":["x"],"namespace":["y"]}`, 403},
		{"nobody", "GET", "/v1/config", "", 401},
	} {
		if a := o.as(c.who, c.method, c.path, c.body); a.status != c.status {
			t.Errorf("%s %s %s: %d %s, not %d", c.who, c.method, c.path, a.status, a.text, c.status)
		}
	}
}
