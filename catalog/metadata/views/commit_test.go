package views_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/metadatatest"
	"github.com/onceberg/onceberg/catalog/metadata/views"
)

const dropAllowed = `{"action":"set-properties","updates":{"replace.drop-dialect.allowed":"true"}}`

func TestReplaceVersion(t *testing.T) {
	t.Parallel()
	base := create(t, "")
	made := apply(t, base, addSchema(other), addVersion(version(2, -1, "spark:select 3", "trino:select 4")), setCurrent(-1))
	expect(t, made, "2", "current-version-id")
	expect(t, made, "1", "schemas", 1, "schema-id")
	expect(t, made, "1", "versions", 1, "schema-id")
	expect(t, made, fmt.Sprintf(`[{"timestamp-ms":%d,"version-id":1},{"timestamp-ms":%d,"version-id":2}]`, start+7, start+2), "version-log")
	if want := location + "/metadata/00001-00000000-0000-4000-8000-000000000001.metadata.json"; made.MetadataLocation != want {
		t.Errorf("metadata location %s", made.MetadataLocation)
	}

	// The same again is the same version, and the first one can be brought back: the log says when.
	unchanged(t, made, addSchema(other), addVersion(version(9, -1, "spark:select 3", "trino:select 4")), setCurrent(-1))
	back := apply(t, made, setCurrent(1))
	expect(t, back, fmt.Sprint(start+1000), "version-log", 2, "timestamp-ms")
	expect(t, back, "1", "current-version-id")
}

// A commit made from an older state of the view succeeds: its version gets the next free number.
func TestVersionsAreRenumbered(t *testing.T) {
	t.Parallel()
	base := create(t, `,"properties":{"replace.drop-dialect.allowed":"true"}`)
	first := []string{addSchema(other), addVersion(version(2, -1, "spark:select count(some_id)")), setCurrent(-1)}
	second := []string{addVersion(version(2, 0, "trino:select count(id)")), setCurrent(-1)}
	made := apply(t, apply(t, base, first...), second...)
	expect(t, made, "3", "current-version-id")
	expect(t, made, "3", "versions", 2, "version-id")
	expect(t, made, "0", "versions", 2, "schema-id")
	expect(t, made, `"select count(some_id)"`, "versions", 1, "representations", 0, "sql")
	// A number that is free and higher is kept.
	made = apply(t, made, addVersion(version(20, 0, "trino:select 20")), setCurrent(20))
	expect(t, made, "20", "versions", 3, "version-id")
}

func TestPropertiesAndLocationLeaveVersionsAlone(t *testing.T) {
	t.Parallel()
	base := create(t, `,"properties":{"a":"1"}`)
	made := apply(t, base, `{"action":"set-properties","updates":{"b":"2"}}`, `{"action":"remove-properties","removals":["a"]}`,
		`{"action":"set-location","location":"new-location"}`)
	expect(t, made, `{"b":"2"}`, "properties")
	expect(t, made, `"new-location"`, "location")
	before, after := decode(t, base), decode(t, made)
	for _, name := range []string{"versions", "version-log", "schemas", "current-version-id", "view-uuid"} {
		if diff := cmp.Diff(before[name], after[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if !strings.HasPrefix(made.MetadataLocation, "new-location/metadata/00001-") {
		t.Errorf("metadata location %s", made.MetadataLocation)
	}
	unchanged(t, made, `{"action":"set-properties","updates":{"b":"2"}}`, `{"action":"remove-properties","removals":["a"]}`,
		`{"action":"set-location","location":"new-location"}`, `{"action":"assign-uuid","uuid":"00000000-0000-4000-8000-000000000001"}`,
		`{"action":"upgrade-format-version","format-version":1}`, setCurrent(1))
}

func TestHistoryIsLimited(t *testing.T) {
	t.Parallel()
	base := create(t, `,"properties":{"version.history.num-entries":"2"}`)
	for i := range 3 {
		sql := fmt.Sprint("select ", 10+i)
		base = apply(t, base, addVersion(version(1, 0, "spark:"+sql, "trino:"+sql)), setCurrent(-1))
	}
	expect(t, base, "3", "versions", 0, "version-id")
	expect(t, base, "4", "versions", 1, "version-id")
	expect(t, base, "null", "versions", 2)
	expect(t, base, "3", "version-log", 0, "version-id")
	expect(t, base, "null", "version-log", 2)

	// What one commit adds is kept, and so is the current version, however old.
	made := apply(t, base, addVersion(version(1, 0, "spark:a", "trino:a")), addVersion(version(1, 0, "spark:b", "trino:b")))
	expect(t, made, "4", "versions", 0, "version-id")
	expect(t, made, "6", "versions", 2, "version-id")
	expect(t, made, `[{"timestamp-ms":1700000000001,"version-id":4}]`, "version-log")
	refused(t, base, fault.IllegalArgument, "version.history.num-entries must be positive but was 0",
		`{"action":"set-properties","updates":{"version.history.num-entries":"0"}}`)
	refused(t, base, fault.Invalid, "Property version.history.num-entries must have integer value: many",
		`{"action":"set-properties","updates":{"version.history.num-entries":"many"}}`)
}

func TestDialectsAreNotLost(t *testing.T) {
	t.Parallel()
	base := create(t, "")
	drop := []string{addVersion(version(2, 0, "SPARK:select 3")), setCurrent(-1)}
	refused(t, base, fault.IllegalArgument, "Cannot replace view due to loss of view dialects (replace.drop-dialect.allowed=false):\n"+
		"Previous dialects: [spark trino]\nNew dialects: [spark]", drop...)
	apply(t, base, append(drop, dropAllowed)...)
	apply(t, base, addVersion(version(2, 0, "Trino:x", "SPARK:y", "presto:z")), setCurrent(-1))
}

func TestViewCommitsRefused(t *testing.T) {
	t.Parallel()
	base := create(t, "")
	for update, c := range map[string]struct {
		kind fault.Kind
		text string
	}{
		setCurrent(-1):                                  {fault.Invalid, "Cannot set last version id: no current version id has been set"},
		setCurrent(5):                                   {fault.IllegalArgument, "Cannot set current version to unknown version: 5"},
		addVersion(version(2, -1, "spark:x")):           {fault.Invalid, "Cannot set last added schema: no schema has been added"},
		addVersion(version(2, 4, "spark:x")):            {fault.IllegalArgument, "Cannot add version with unknown schema: 4"},
		addVersion(version(2, 0, "spark:x", "Spark:y")): {fault.IllegalArgument, "Invalid view version: Cannot add multiple queries for dialect spark"},
		addVersion(version(2, 0)):                       {fault.IllegalArgument, "no representations"},
		addVersion(`[]`):                                {fault.Invalid, "Invalid view version"},
		addSchema(`{"type":"list"}`):                    {fault.Invalid, "Invalid schema"},
		`{"action":"assign-uuid","uuid":"00000000-0000-4000-8000-00000000000f"}`:           {fault.IllegalArgument, "Cannot reassign uuid"},
		`{"action":"assign-uuid","uuid":"x"}`:                                              {fault.IllegalArgument, "Invalid uuid: x"},
		`{"action":"upgrade-format-version","format-version":0}`:                           {fault.IllegalArgument, "Cannot downgrade v1 view to v0"},
		`{"action":"upgrade-format-version","format-version":2}`:                           {fault.IllegalArgument, "Unsupported format version: 2"},
		`{"action":"set-location","location":""}`:                                          {fault.IllegalArgument, "Invalid location"},
		`{"action":"set-snapshot-ref"}`:                                                    {fault.Invalid, "Unknown update action for a view: set-snapshot-ref"},
		`{"action":"set-properties","updates":{"write.metadata.compression-codec":"lz4"}}`: {fault.IllegalArgument, "Invalid codec name: lz4"},
	} {
		refused(t, base, c.kind, c.text, update)
	}
	_, err := tryApply(base, `{"requirements":[{"type":"assert-view-uuid","uuid":"x"}]}`)
	mustBe(t, err, fault.CommitFailed, "Requirement failed: view UUID does not match: expected 00000000-0000-4000-8000-000000000001 != x")
	if _, err := tryApply(base, `{"requirements":[{"type":"Assert-View-UUID","uuid":"00000000-0000-4000-8000-000000000001"}]}`); err != nil {
		t.Error(err)
	}
	_, err = tryApply(base, `{"requirements":[{"type":"assert-table-uuid","uuid":"x"}]}`)
	mustBe(t, err, fault.Invalid, "Unknown requirement type for a view: assert-table-uuid")
}

// strange is a view by an engine that knows more than this catalog.
const strange = `{
  "view-uuid": "FA6506C3-7681-40C8-86DC-E36561F83385", "format-version": 1, "location": "s3://b/v", "x-view": [1.0],
  "current-version-id": 3,
  "properties": {"comment": "Daily \u00fc", "gc.enabled": "false"},
  "versions": [{"version-id": 3, "timestamp-ms": 9007199254740993, "schema-id": 1, "default-catalog": "prod", "default-namespace": ["default"],
    "summary": {"engine-name": "Spark"}, "x-version": {"big": 9223372036854775808},
    "representations": [{"type": "sql", "sql": "SELECT 1", "dialect": "spark"}, {"type": "plan", "x-plan": "substrait"}]}],
  "schemas": [{"schema-id": 1, "type": "struct", "fields": [{"id": 1, "name": "c", "required": false, "type": "int", "x-field": 1}]}],
  "version-log": [{"timestamp-ms": 9007199254740993, "version-id": 3, "x-log": true}]
}`

func TestRegister(t *testing.T) {
	t.Parallel()
	base, err := views.Register("s3://b/v/metadata/00004-x.metadata.json", []byte(strange))
	if err != nil {
		t.Fatal(err)
	}
	if string(base.Metadata) != strange {
		t.Error("a registered file must be served as it is")
	}
	header, err := base.Header()
	if err != nil {
		t.Fatal(err)
	}
	want := &views.Header{
		UUID: "FA6506C3-7681-40C8-86DC-E36561F83385", Location: "s3://b/v",
		Properties: map[string]string{"comment": "Daily ü", "gc.enabled": "false"},
	}
	if diff := cmp.Diff(want, header); diff != "" {
		t.Error(diff)
	}
	if kept, err := base.Purgeable(); err != nil || kept != nil {
		t.Errorf("a view whose files others may use loses %v, %v", kept, err)
	}
	if gone, err := create(t, "").Purgeable(); err != nil || len(gone) != 1 {
		t.Errorf("got %v, %v", gone, err)
	}
	for name, text := range map[string]string{
		"no JSON": "x", "a table": `{"table-uuid":"x"}`, "a later format": strings.Replace(strange, `"format-version": 1`, `"format-version": 2`, 1),
		"no current": strings.Replace(strange, `"current-version-id": 3`, `"current-version-id": 4`, 1),
	} {
		if _, err := views.Register("file:/x", []byte(text)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEverythingUnknownSurvivesACommit(t *testing.T) {
	t.Parallel()
	base, err := views.Register("s3://b/v/metadata/00004-x.metadata.json", []byte(strange))
	if err != nil {
		t.Fatal(err)
	}
	made := apply(t, base, `{"action":"set-properties","updates":{"new":"1"}}`)
	before, after := decode(t, base), decode(t, made)
	properties, _ := after["properties"].(map[string]any)
	delete(properties, "new")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	made = apply(t, base, addVersion(strings.Replace(version(4, 1, "spark:select 2"), `"representations":[`, `"representations":[{"type":"plan","y":2},`, 1)), setCurrent(-1))
	expect(t, made, `"plan"`, "versions", 1, "representations", 0, "type")
	if !strings.Contains(string(made.Metadata), `"big": 9223372036854775808`) {
		t.Error("an unknown member was not kept as it was written")
	}
}

// No commit body makes Apply panic or makes a view that iceberg-go cannot read.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`{"updates":[` + strings.Join([]string{
		addSchema(other), addVersion(version(2, -1, "spark:a", "trino:b")), setCurrent(-1),
		dropAllowed, `{"action":"set-location","location":"/x"}`,
	}, ",") + `]}`))
	f.Add([]byte(`{"requirements":[{"type":"assert-view-uuid","uuid":"x"}]}`))
	base := create(f, "")
	f.Fuzz(func(t *testing.T, body []byte) { mustBeSound(t, base, body) })
}

func mustBeSound(t interface {
	Fatalf(format string, args ...any)
}, base *views.View, body []byte,
) {
	commit, err := views.ParseCommit(body)
	if err != nil {
		return
	}
	result, err := commit.Apply(base, at(start+1000), uuids())
	if err != nil || !result.Changed {
		return
	}
	if _, err := views.Register("x", result.View.Metadata); err != nil {
		t.Fatalf("%s\nmade a view that cannot be read: %v\n%s", body, err, result.View.Metadata)
	}
}

func TestBentBodies(t *testing.T) {
	t.Parallel()
	base := create(t, "")
	sound := `{"updates":[` + strings.Join([]string{
		addSchema(other), addVersion(version(2, -1, "spark:a", "trino:b")), setCurrent(-1),
		dropAllowed, `{"action":"set-location","location":"/x"}`,
	}, ",") + `]}`
	request := `{"name":"v","schema":` + schema + `,"view-version":` + version(1, 0, "spark:a") + `,"properties":{"a":"b"}}`
	rapid.Check(t, func(t *rapid.T) {
		mustBeSound(t, base, metadatatest.Bent(t, sound))
		body := metadatatest.Bent(t, request)
		parsed, err := views.ParseCreate(body)
		if err != nil {
			return
		}
		made, err := parsed.Build("/x", at(start), uuids())
		if err != nil {
			return
		}
		if _, err := views.Register("x", made.Metadata); err != nil {
			t.Fatalf("%s\nmade a view that cannot be read: %v\n%s", body, err, made.Metadata)
		}
	})
}
