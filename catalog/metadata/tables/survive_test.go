package tables_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

func decode(t testing.TB, text []byte) map[string]any {
	t.Helper()
	var node map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&node); err != nil {
		t.Fatal(err)
	}
	return node
}

func register(t testing.TB, text string) *tables.Table {
	t.Helper()
	base, err := tables.Register("file:/x/00003-a.metadata.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return base
}

func TestEverythingUnknownSurvivesACommit(t *testing.T) {
	t.Parallel()
	base := register(t, newest)
	if string(base.Metadata) != newest {
		t.Error("a registered file must be served as it is")
	}
	made := apply(t, base, `{"action":"set-properties","updates":{"new":"1"}}`)
	before, after := decode(t, base.Metadata), decode(t, made.Metadata)
	properties, _ := after["properties"].(map[string]any)
	delete(properties, "new")
	// The list is new, and version 3 writes it.
	delete(after, "partition-statistics")
	log, _ := after["metadata-log"].([]any)
	if len(log) != 2 {
		t.Fatalf("metadata-log %v", log)
	}
	after["metadata-log"] = log[:1]
	delete(before, "last-updated-ms")
	delete(after, "last-updated-ms")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	for _, exactly := range []string{
		`"lineage": [1.000, {"deep": 9007199254740999}]`, `\u00fcnic\u00f6de`,
		"9C12D441-03FE-4693-9A96-A0705DDF69C1", `"big": 9223372036854775808`, `"x-order": null`,
	} {
		if !strings.Contains(string(made.Metadata), exactly) {
			t.Errorf("%s was not kept as it was written", exactly)
		}
	}
}

func TestTheOldestTablesGoOn(t *testing.T) {
	t.Parallel()
	base := register(t, oldest)
	made := apply(t, base, `{"action":"set-properties","updates":{"new":"1"}}`)
	for name, want := range map[string]string{
		"schemas":               `[` + member(t, made, "schema") + `]`,
		"current-schema-id":     "0",
		"partition-specs":       `[{"fields":[{"name":"x","source-id":1,"transform":"identity"}],"spec-id":0}]`,
		"default-spec-id":       "0",
		"last-partition-id":     "1000",
		"sort-orders":           `[{"fields":[],"order-id":0}]`,
		"default-sort-order-id": "0",
		"refs":                  `{"main":{"snapshot-id":9223372036854775807,"type":"branch"}}`,
		"current-snapshot-id":   "9223372036854775807",
		"vendor-extension":      `{"a":[1,2.50,1e3]}`,
		"table-uuid":            "",
	} {
		expect(t, made, want, name)
	}
	expect(t, made, "12345678901234567890", "snapshots", 0, "vendor.note", "kept")

	two := apply(t, base, `{"action":"upgrade-format-version","format-version":2}`)
	expect(t, two, `"00000000-0000-4000-8000-000000000001"`, "table-uuid")
	expect(t, two, `["s3://bucket/old/m1.avro"]`, "snapshots", 0, "manifests")
	expect(t, two, "", "schema")
	assigned := apply(t, base, `{"action":"assign-uuid","uuid":"11111111-1111-4111-8111-111111111111"}`)
	expect(t, assigned, `"11111111-1111-4111-8111-111111111111"`, "table-uuid")
}

// Whatever sequence of sound updates is applied to a table of any version, iceberg-go can read the result, no number
// is rounded, and what no update speaks of stays.
func TestUpdatesKeepTablesReadable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.IntRange(1, 3).Draw(t, "version")
		base := startOf(t, version)
		sequence, next := int64(0), int64(0)
		var snapshots []int64
		for i := range rapid.IntRange(1, 12).Draw(t, "commits") {
			update := drawUpdate(t, i, version, &sequence, &next, &snapshots)
			result, err := tryApply(base, `{"updates":[`+update+`]}`)
			if err != nil {
				continue
			}
			made := result.Table
			if _, err := tables.Register("x", made.Metadata); err != nil {
				t.Fatalf("after %s: %v", update, err)
			}
			if got := decodeMember(t, made, "x-unknown"); got != "9007199254740993" {
				t.Fatalf("after %s an unknown member is %s", update, got)
			}
			made.MetadataLocation = fmt.Sprintf("%05d-x", i)
			base = made
		}
		for _, id := range snapshots {
			if !strings.Contains(string(base.Metadata), fmt.Sprintf(`"snapshot-id":%d,"timestamp-ms"`, id)) &&
				!strings.Contains(string(base.Metadata), `"removed":"1"`) {
				t.Fatalf("snapshot %d is gone", id)
			}
		}
	})
}

func decodeMember(t *rapid.T, made *tables.Table, name string) string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(made.Metadata, &members); err != nil {
		t.Fatal(err)
	}
	return string(members[name])
}

func startOf(t *rapid.T, version int) *tables.Table {
	request, err := tables.ParseCreate(fmt.Appendf(nil, `{"name":"t","schema":%s,"properties":{"format-version":"%d"}}`, twoColumns, version))
	if err != nil {
		t.Fatal(err)
	}
	made, err := request.Build(location, at(start), uuids())
	if err != nil {
		t.Fatal(err)
	}
	made.Metadata = append([]byte(`{"x-unknown":9007199254740993,`), made.Metadata[1:]...)
	return made
}

func drawUpdate(t *rapid.T, i, version int, sequence, next *int64, snapshots *[]int64) string {
	column := rapid.IntRange(1, 9).Draw(t, "column")
	pick := func() int64 {
		if len(*snapshots) == 0 {
			return 1
		}
		return rapid.SampledFrom(*snapshots).Draw(t, "snapshot")
	}
	switch rapid.IntRange(0, 11).Draw(t, "update") {
	case 0:
		return join(addSchema(fmt.Sprintf(`{"type":"struct","fields":[{"id":1,"name":"id","type":"long","required":true},
			{"id":2,"name":"ts","type":"timestamp","required":false},{"id":%d,"name":"c%d","type":"int","required":false}]}`,
			column+2, column)), currentIsLast)
	case 1:
		return join(addSpec(fmt.Sprintf(`{"name":"b%d","transform":"bucket[%d]","source-id":1}`, column, column)), specIsLast)
	case 2:
		return join(addOrder(byID), orderIsLast, addOrder(byTS))
	case 3:
		return `{"action":"set-default-sort-order","sort-order-id":0}`
	case 4:
		return fmt.Sprintf(`{"action":"set-properties","updates":{"k%d":"v"}}`, column)
	case 5:
		return fmt.Sprintf(`{"action":"upgrade-format-version","format-version":%d}`, version)
	case 6:
		return setRef(fmt.Sprint("r", column), pick(), "")
	case 7:
		return setRef("main", pick(), `,"max-ref-age-ms":9007199254740993`)
	case 8:
		return join(fmt.Sprintf(`{"action":"remove-snapshots","snapshot-ids":[%d]}`, pick()), `{"action":"set-properties","updates":{"removed":"1"}}`)
	case 9:
		return fmt.Sprintf(`{"action":"set-current-schema","schema-id":%d}`, column%3)
	case 10:
		return fmt.Sprintf(`{"action":"set-default-spec","spec-id":%d}`, column%3)
	}
	id := int64(1)<<62 + int64(i)
	*snapshots = append(*snapshots, id)
	if version == 1 {
		return join(snapshot(id, 0, 0, start+int64(i)), setRef("main", id, ""))
	}
	*sequence++
	first := *next
	if version == 3 {
		*next += 10
		return join(rows(id, 0, *sequence, start+int64(i), first, 10), setRef("main", id, ""))
	}
	return join(snapshot(id, 0, *sequence, start+int64(i)), setRef("main", id, ""))
}
