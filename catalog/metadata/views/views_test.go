package views_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/apache/iceberg-go/view"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/views"
)

// start is the time at which test views are created, in milliseconds.
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
	location = "file:/tmp/ns/view"
	schema   = `{"type":"struct","schema-id":9,"fields":[{"id":3,"name":"id","type":"int","required":true,"doc":"unique \ud83e\udd2a"}]}`
	other    = `{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"some_id","type":"int","required":true}]}`
)

// version returns a view version. Each SQL text is written as dialect:sql.
func version(id, schema int, sql ...string) string {
	var representations []string
	for _, text := range sql {
		dialect, query, _ := strings.Cut(text, ":")
		representations = append(representations, fmt.Sprintf(`{"type":"sql","sql":%q,"dialect":%q}`, query, dialect))
	}
	return fmt.Sprintf(`{"version-id":%d,"schema-id":%d,"timestamp-ms":%d,"summary":{"engine":"x"},"representations":[%s],
		"default-namespace":["ns"]}`, id, schema, start+int64(id), strings.Join(representations, ","))
}

func create(t testing.TB, more string) *views.View {
	t.Helper()
	return build(t, `{"name":"view","schema":`+schema+`,"view-version":`+version(7, 9, "spark:select 1", "trino:select 2")+more+`}`)
}

func build(t testing.TB, body string) *views.View {
	t.Helper()
	request, err := views.ParseCreate([]byte(body))
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

func mustParse(t testing.TB, made *views.View) view.Metadata {
	t.Helper()
	metadata, err := view.ParseMetadataBytes(made.Metadata)
	if err != nil {
		t.Fatalf("iceberg-go cannot read the view: %v\n%s", err, made.Metadata)
	}
	return metadata
}

func tryApply(base *views.View, body string) (*views.Result, error) {
	commit, err := views.ParseCommit([]byte(body))
	if err != nil {
		return nil, err
	}
	return commit.Apply(base, at(start+1000), uuids())
}

func apply(t testing.TB, base *views.View, updates ...string) *views.View {
	t.Helper()
	result, err := tryApply(base, `{"updates":[`+strings.Join(updates, ",")+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Changed {
		t.Fatalf("nothing changed by %s", updates)
	}
	mustParse(t, result.View)
	return result.View
}

func unchanged(t testing.TB, base *views.View, updates ...string) {
	t.Helper()
	result, err := tryApply(base, `{"updates":[`+strings.Join(updates, ",")+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	if result.Changed || result.View != base {
		t.Errorf("%s changed the view to %s", updates, result.View.Metadata)
	}
}

func refused(t testing.TB, base *views.View, kind fault.Kind, text string, updates ...string) {
	t.Helper()
	_, err := tryApply(base, `{"updates":[`+strings.Join(updates, ",")+`]}`)
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

func decode(t testing.TB, made *views.View) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(made.Metadata)))
	decoder.UseNumber()
	var node map[string]any
	if err := decoder.Decode(&node); err != nil {
		t.Fatal(err)
	}
	return node
}

func expect(t testing.TB, made *views.View, want string, path ...any) {
	t.Helper()
	var node any = decode(t, made)
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := node.(map[string]any)
			node = object[step]
		case int:
			list, _ := node.([]any)
			if node = nil; step < len(list) {
				node = list[step]
			}
		}
	}
	got, err := json.Marshal(node)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", path, got, want)
	}
}

func addSchema(text string) string {
	return `{"action":"add-schema","schema":` + text + `,"last-column-id":1}`
}

func addVersion(text string) string {
	return `{"action":"add-view-version","view-version":` + text + `}`
}

func setCurrent(id int) string {
	return fmt.Sprintf(`{"action":"set-current-view-version","view-version-id":%d}`, id)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	made := create(t, `,"location":null,"properties":{"a":"b"}`)
	for name, want := range map[string]string{
		"view-uuid": `"00000000-0000-4000-8000-000000000001"`, "format-version": "1", "location": `"` + location + `"`,
		"properties": `{"a":"b"}`, "current-version-id": "1",
		"version-log": fmt.Sprintf(`[{"timestamp-ms":%d,"version-id":1}]`, start+7),
		"schemas":     `[{"fields":[{"doc":"unique 🤪","id":3,"name":"id","required":true,"type":"int"}],"schema-id":0,"type":"struct"}]`,
		"versions": fmt.Sprintf(`[{"default-namespace":["ns"],"representations":[{"dialect":"spark","sql":"select 1","type":"sql"},`+
			`{"dialect":"trino","sql":"select 2","type":"sql"}],"schema-id":0,"summary":{"engine":"x"},"timestamp-ms":%d,"version-id":1}]`, start+7),
	} {
		expect(t, made, want, name)
	}
	if want := location + "/metadata/00000-00000000-0000-4000-8000-000000000002.metadata.json"; made.MetadataLocation != want {
		t.Errorf("metadata location %s", made.MetadataLocation)
	}
	expect(t, create(t, ""), "null", "properties")
}

func TestCreateKeepsTheRest(t *testing.T) {
	t.Parallel()
	made := build(t, `{"name":"view","schema":`+schema+`,"properties":{"write.metadata.path":"file:/tmp/custom"},"view-version":
		{"version-id":1,"schema-id":0,"representations":[{"type":"sql","sql":"select 1","dialect":"Spark","x":1}],
		"default-namespace":["a","b"],"default-catalog":"cat","x-version":9007199254740993}}`)
	expect(t, made, "9007199254740993", "versions", 0, "x-version")
	expect(t, made, `"cat"`, "versions", 0, "default-catalog")
	expect(t, made, fmt.Sprint(start), "versions", 0, "timestamp-ms")
	expect(t, made, "{}", "versions", 0, "summary")
	expect(t, made, "1", "versions", 0, "representations", 0, "x")
	if !strings.HasPrefix(made.MetadataLocation, "file:/tmp/custom/00000-") {
		t.Errorf("metadata location %s", made.MetadataLocation)
	}
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	with := func(version string) string {
		return `{"name":"v","schema":` + schema + `,"view-version":` + version + `}`
	}
	for body, c := range map[string]struct {
		kind fault.Kind
		text string
	}{
		`{`: {fault.Invalid, "Invalid create view request"},
		`{"schema":` + schema + `,"view-version":{}}`:                                                      {fault.Invalid, "missing field name"},
		`{"name":"v","view-version":{}}`:                                                                   {fault.Invalid, "missing field schema"},
		`{"name":"v","schema":{}}`:                                                                         {fault.Invalid, "missing field view-version"},
		`{"name":"v","schema":{},"view-version":` + version(1, 0, "spark:x") + `}`:                         {fault.Invalid, "Invalid schema"},
		with(`{"version-id":1}`):                                                                           {fault.Invalid, "Invalid view version: missing field default-namespace"},
		with(version(1, 0)):                                                                                {fault.IllegalArgument, "no representations"},
		with(version(1, 0, "trino:a", "spark:b", "TRINO:c")):                                               {fault.IllegalArgument, "Invalid view version: Cannot add multiple queries for dialect trino"},
		with(strings.Replace(version(1, 0, "spark:x"), `"type":"sql"`, `"type":"plan"`, 1)):                {fault.Invalid, "Found unsupported view representations: [plan]"},
		with(strings.Replace(version(1, 0, "spark:x"), `"sql":"x"`, `"sql":5`, 1)):                         {fault.Invalid, "Invalid view representation: field sql"},
		with(version(1, 0, "spark:")):                                                                      {fault.Invalid, "sql is required"},
		with(strings.Replace(version(1, 0, "spark:x"), `"representations":[`, `"representations":[7,`, 1)): {fault.Invalid, "field representations"},
	} {
		request, err := views.ParseCreate([]byte(body))
		if err == nil {
			_, err = request.Build(location, at(start), uuids())
		}
		mustBe(t, err, c.kind, c.text)
	}
	request, err := views.ParseCreate([]byte(with(version(1, 0, "spark:x"))))
	if err != nil {
		t.Fatal(err)
	}
	_, err = request.Build("", at(start), uuids())
	mustBe(t, err, fault.IllegalArgument, "Invalid location")
}
