package tables_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// start is the time at which test tables are created, in milliseconds.
const start = int64(1_700_000_000_000)

func at(ms int64) time.Time { return time.UnixMilli(ms) }

// uuids returns a source of uuids that are different and the same in each run.
func uuids() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
	}
}

const (
	twoColumns = `{"type":"struct","schema-id":7,"fields":[
		{"id":10,"name":"id","type":"long","required":true},
		{"id":20,"name":"ts","type":"timestamp","required":false}]}`
	location = "file:/tmp/ns/tbl"
)

// create makes a table of two columns in a format version.
func create(t testing.TB, version int) *tables.Table {
	t.Helper()
	return build(t, fmt.Sprintf(`{"name":"t","schema":%s,"properties":{"format-version":"%d"}}`, twoColumns, version))
}

func build(t testing.TB, body string) *tables.Table {
	t.Helper()
	request, err := tables.ParseCreate([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	made, err := request.Build(location, at(start), uuids())
	if err != nil {
		t.Fatal(err)
	}
	mustParse(t, made)
	return made
}

// mustParse proves that iceberg-go reads a table in full.
func mustParse(t testing.TB, made *tables.Table) table.Metadata {
	t.Helper()
	metadata, err := table.ParseMetadataBytes(made.Metadata)
	if err != nil {
		t.Fatalf("iceberg-go cannot read the table: %v\n%s", err, made.Metadata)
	}
	return metadata
}

// apply applies updates, written as the inside of a JSON array, a second after the table was created.
func apply(t testing.TB, base *tables.Table, updates string) *tables.Table {
	t.Helper()
	result, err := tryApply(base, `{"requirements":[],"updates":[`+updates+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Changed {
		t.Fatalf("nothing changed by %s", updates)
	}
	mustParse(t, result.Table)
	return result.Table
}

func tryApply(base *tables.Table, body string) (*tables.Result, error) {
	commit, err := tables.ParseCommit([]byte(body))
	if err != nil {
		return nil, err
	}
	return commit.Apply(base, at(start+1000), uuids())
}

// unchanged applies updates that must change nothing.
func unchanged(t testing.TB, base *tables.Table, updates string) {
	t.Helper()
	result, err := tryApply(base, `{"updates":[`+updates+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	if result.Changed || result.Table != base {
		t.Errorf("%s changed the table to %s", updates, result.Table.Metadata)
	}
}

// refused applies updates that must be refused with a kind and a text.
func refused(t testing.TB, base *tables.Table, updates string, kind fault.Kind, text string) {
	t.Helper()
	_, err := tryApply(base, `{"updates":[`+updates+`]}`)
	mustBe(t, err, kind, text)
}

func mustBe(t testing.TB, err error, kind fault.Kind, text string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("got %v instead of a fault of kind %s: %s", err, kind.Type(), text)
	}
	if f.Kind != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("got %s: %v\nwant %s: %s", f.Kind.Type(), err, kind.Type(), text)
	}
}

// member returns a member of the metadata, reached by names and list positions, as JSON without white space.
func member(t testing.TB, made *tables.Table, path ...any) string {
	t.Helper()
	var node any
	decoder := json.NewDecoder(strings.NewReader(string(made.Metadata)))
	decoder.UseNumber()
	if err := decoder.Decode(&node); err != nil {
		t.Fatal(err)
	}
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := node.(map[string]any)
			if !ok {
				t.Fatalf("%v: no object at %q", path, step)
			}
			if node, ok = object[step]; !ok {
				return ""
			}
		case int:
			list, ok := node.([]any)
			if !ok || step >= len(list) {
				return ""
			}
			node = list[step]
		}
	}
	text, err := json.Marshal(node)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func expect(t testing.TB, made *tables.Table, want string, path ...any) {
	t.Helper()
	if got := member(t, made, path...); got != want {
		t.Errorf("%v\n got %s\nwant %s", path, got, want)
	}
}

// snapshot returns an add-snapshot update for a v1 or v2 table. A parent of 0 is none.
func snapshot(id, parent, sequence, at int64) string {
	return fmt.Sprintf(`{"action":"add-snapshot","snapshot":%s}`, snapshotText(id, parent, sequence, at, ""))
}

// rows returns an add-snapshot update for a v3 table.
func rows(id, parent, sequence, at, first, added int64) string {
	more := fmt.Sprintf(`,"first-row-id":%d,"added-rows":%d`, first, added)
	return fmt.Sprintf(`{"action":"add-snapshot","snapshot":%s}`, snapshotText(id, parent, sequence, at, more))
}

func snapshotText(id, parent, sequence, at int64, more string) string {
	if parent != 0 {
		more += fmt.Sprintf(`,"parent-snapshot-id":%d`, parent)
	}
	if sequence != 0 {
		more += fmt.Sprintf(`,"sequence-number":%d`, sequence)
	}
	return fmt.Sprintf(`{"snapshot-id":%d,"timestamp-ms":%d,"manifest-list":"%s/metadata/snap-%d.avro",`+
		`"summary":{"operation":"append"},"schema-id":0%s}`, id, at, location, id, more)
}

func setRef(name string, id int64, more string) string {
	return fmt.Sprintf(`{"action":"set-snapshot-ref","ref-name":%q,"type":"branch","snapshot-id":%d%s}`, name, id, more)
}

func join(updates ...string) string { return strings.Join(updates, ",") }
