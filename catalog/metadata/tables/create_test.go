package tables_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

func TestCreateAssignsFreshIDs(t *testing.T) {
	t.Parallel()
	made := build(t, `{"name":"t","location":null,"partition-spec":null,"write-order":null,"stage-create":false,
		"schema":{"type":"struct","schema-id":0,"identifier-field-ids":[0],"fields":[
			{"id":0,"name":"id","type":"long","required":true,"doc":"the key \ud83d\ude00"},
			{"id":1,"name":"points","type":{"type":"list","element-id":6,"element-required":true,
				"element":{"type":"struct","fields":[{"id":7,"name":"x","type":"int","required":true}]}},"required":false},
			{"id":2,"name":"where","type":{"type":"struct","fields":[
				{"id":3,"name":"lat","type":"double","required":true},
				{"id":4,"name":"inner","type":{"type":"struct","fields":[
					{"id":5,"name":"z","type":"string","required":false,"from-a-newer-engine":{"n":12345678901234567890}}]},
					"required":true}]},"required":true},
			{"id":20,"name":"m","type":{"type":"map","key-id":21,"key":"string","value-id":22,"value":
				{"type":"list","element-id":23,"element":"int","element-required":false},"value-required":true},
				"required":false}]}}`)
	want := `{"fields":[` +
		`{"doc":"the key 😀","id":1,"name":"id","required":true,"type":"long"},` +
		`{"id":2,"name":"points","required":false,"type":{"element":{"fields":[{"id":6,"name":"x","required":true,` +
		`"type":"int"}],"type":"struct"},"element-id":5,"element-required":true,"type":"list"}},` +
		`{"id":3,"name":"where","required":true,"type":{"fields":[{"id":7,"name":"lat","required":true,"type":"double"},` +
		`{"id":8,"name":"inner","required":true,"type":{"fields":[{"from-a-newer-engine":{"n":12345678901234567890},` +
		`"id":9,"name":"z","required":false,"type":"string"}],"type":"struct"}}],"type":"struct"}},` +
		`{"id":4,"name":"m","required":false,"type":{"key":"string","key-id":10,"type":"map","value":{"element":"int",` +
		`"element-id":12,"element-required":false,"type":"list"},"value-id":11,"value-required":true}}],` +
		`"identifier-field-ids":[1],"schema-id":0,"type":"struct"}`
	expect(t, made, want, "schemas", 0)
	expect(t, made, "12", "last-column-id")
	expect(t, made, "0", "current-schema-id")
}

func TestCreateMapsPartitionsAndOrderThroughColumns(t *testing.T) {
	t.Parallel()
	made := build(t, `{"name":"t","schema":{"type":"struct","schema-id":0,"fields":[
			{"id":0,"name":"a","type":"long","required":true},{"id":1,"name":"ts","type":"timestamp","required":true}]},
		"partition-spec":{"spec-id":5,"fields":[{"name":"ts_day","transform":"day","source-id":1,"field-id":2000,"note":"x"},
			{"name":"a_bucket","transform":"bucket[16]","source-id":0}]},
		"write-order":{"order-id":9,"fields":[{"transform":"identity","source-id":1,"direction":"desc",
			"null-order":"nulls-last"}]}}`)
	expect(t, made, `{"fields":[{"field-id":1000,"name":"ts_day","note":"x","source-id":2,"transform":"day"},`+
		`{"field-id":1001,"name":"a_bucket","source-id":1,"transform":"bucket[16]"}],"spec-id":0}`, "partition-specs", 0)
	expect(t, made, "1001", "last-partition-id")
	expect(t, made, `[{"fields":[{"direction":"desc","null-order":"nulls-last","source-id":2,"transform":"identity"}],`+
		`"order-id":1}]`, "sort-orders")
	expect(t, made, "1", "default-sort-order-id")
}

func TestCreateOfEachVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]map[string]string{
		1: {"current-snapshot-id": "-1", "last-sequence-number": "", "next-row-id": "", "partition-spec": "[]"},
		2: {"current-snapshot-id": "-1", "last-sequence-number": "0", "next-row-id": "", "schema": ""},
		3: {"current-snapshot-id": "", "last-sequence-number": "0", "next-row-id": "0", "schema": ""},
	} {
		made := create(t, version)
		for name, value := range want {
			expect(t, made, value, name)
		}
		for name, value := range map[string]string{
			"table-uuid": `"00000000-0000-4000-8000-000000000001"`, "location": `"file:/tmp/ns/tbl"`,
			"last-updated-ms": "1700000000000", "last-column-id": "2", "default-spec-id": "0", "last-partition-id": "999",
			"partition-specs": `[{"fields":[],"spec-id":0}]`, "sort-orders": `[{"fields":[],"order-id":0}]`,
			"default-sort-order-id": "0", "refs": "{}", "snapshots": "[]", "snapshot-log": "[]", "metadata-log": "[]",
			"statistics": "[]", "partition-statistics": "[]",
		} {
			expect(t, made, value, name)
		}
		if got := made.MetadataLocation; got != location+"/metadata/00000-00000000-0000-4000-8000-000000000002.metadata.json" {
			t.Errorf("metadata location %s", got)
		}
	}
	made := create(t, 1)
	if member(t, made, "schema") != member(t, made, "schemas", 0) {
		t.Error("a table of version 1 must have its schema twice")
	}
}

func TestCreateKeepsPropertiesButTheReserved(t *testing.T) {
	t.Parallel()
	made := build(t, `{"name":"t","schema":`+twoColumns+`,"properties":{"b":"2","a":"1","uuid":"x","snapshot-count":"3",
		"current-snapshot-id":"4","current-snapshot-summary":"5","current-snapshot-timestamp-ms":"6","current-schema":"7",
		"default-partition-spec":"8","default-sort-order":"9","format-version":"2"}}`)
	expect(t, made, `{"a":"1","b":"2","write.parquet.compression-codec":"zstd"}`, "properties")
	made = build(t, `{"name":"t","schema":`+twoColumns+`,"properties":{"write.parquet.compression-codec":"gzip"}}`)
	expect(t, made, `{"write.parquet.compression-codec":"gzip"}`, "properties")
}

// case C11: a staged table has no metadata file.
func TestCreateStaged(t *testing.T) {
	t.Parallel()
	made := build(t, `{"name":"t","stage-create":true,"schema":`+twoColumns+`}`)
	if made.MetadataLocation != "" {
		t.Errorf("a staged table has the metadata location %s", made.MetadataLocation)
	}
	expect(t, made, `"2023-11-14T22:13:20Z"`, "properties", "created-at")
	made = build(t, `{"name":"t","stage-create":true,"schema":`+twoColumns+`,"properties":{"created-at":"then"}}`)
	expect(t, made, `"then"`, "properties", "created-at")
}

func TestCreateReadsTheRequest(t *testing.T) {
	t.Parallel()
	request, err := tables.ParseCreate([]byte(`{"name":"t","location":"file:/w/x/","stage-create":true,"schema":` +
		twoColumns + `,"properties":{"k":"v"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{"t", "file:/w/x/", true, "v", ""}, []any{
		request.Name, request.Location, request.Stage, request.Property("k"), request.Property("none"),
	}); diff != "" {
		t.Error(diff)
	}
}

func TestCreateNamesTheMetadataFile(t *testing.T) {
	t.Parallel()
	for properties, want := range map[string]string{
		`{"write.metadata.path":"s3://b/meta//"}`:           "s3://b/meta/00000-",
		`{"write.metadata.compression-codec":"GZIP"}`:       ".gz.metadata.json",
		`{"write.metadata.compression-codec":"none"}`:       "2.metadata.json",
		`{"write.metadata.path":"/m","format-version":"3"}`: "/m/00000-",
	} {
		made := build(t, `{"name":"t","schema":`+twoColumns+`,"properties":`+properties+`}`)
		if !strings.Contains(made.MetadataLocation, want) {
			t.Errorf("%s: %s", properties, made.MetadataLocation)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	schemaOf := func(fields string) string {
		return `{"name":"t","schema":{"type":"struct","schema-id":0,"fields":[` + fields + `]}}`
	}
	with := func(more string) string { return `{"name":"t","schema":` + twoColumns + `,` + more + `}` }
	for name, c := range map[string]struct {
		body string
		kind fault.Kind
		text string
	}{
		"no JSON":       {`{`, fault.Invalid, "Invalid create table request: invalid JSON"},
		"no name":       {`{"schema":` + twoColumns + `}`, fault.Invalid, "missing field name"},
		"empty name":    {`{"name":"","schema":` + twoColumns + `}`, fault.Invalid, "field name"},
		"no schema":     {`{"name":"t"}`, fault.Invalid, "missing field schema"},
		"odd stage":     {with(`"stage-create":"yes"`), fault.Invalid, "field stage-create"},
		"odd property":  {with(`"properties":{"a":1}`), fault.Invalid, `field properties: expected a string for key "a"`},
		"null property": {with(`"properties":{"a":null}`), fault.Invalid, `field properties: expected a string for key "a"`},
		"version":       {with(`"properties":{"format-version":"x"}`), fault.IllegalArgument, "Invalid format-version: x"},
		"version 4":     {with(`"properties":{"format-version":"4"}`), fault.IllegalArgument, "Unsupported format version: v4 (supported: v3)"},
		"version 0":     {with(`"properties":{"format-version":"0"}`), fault.IllegalArgument, "Unsupported format version: v0"},
		"codec":         {with(`"properties":{"write.metadata.compression-codec":"lz4"}`), fault.IllegalArgument, "Invalid codec name: lz4"},
		"retries":       {with(`"properties":{"commit.retry.num-retries":"x"}`), fault.Invalid, "commit.retry.num-retries must have integer value"},
		"retries < 0":   {with(`"properties":{"commit.retry.num-retries":"-1"}`), fault.Invalid, "must have non negative integer value"},
		"metrics":       {with(`"properties":{"write.metadata.metrics.column.no":"none"}`), fault.Invalid, "could not find column no"},
		"variant in v2": {schemaOf(`{"id":1,"name":"v","type":"variant","required":false}`), fault.Invalid, "variant is not supported until v3"},
		"default in v2": {
			schemaOf(`{"id":1,"name":"d","type":"int","required":false,"initial-default":5}`), fault.Invalid,
			"Invalid initial default for d: non-null default (5) is not supported until v3",
		},
		"nested timestamp_ns": {schemaOf(`{"id":1,"name":"l","required":false,"type":{"type":"list","element-id":2,
			"element":"timestamp_ns","element-required":false}}`), fault.Invalid, "timestamp_ns is not supported until v3"},
		"no such type":     {schemaOf(`{"id":1,"name":"x","type":"quark","required":false}`), fault.Invalid, "Invalid schema"},
		"odd nesting":      {schemaOf(`{"id":1,"name":"x","type":{"type":"bag"},"required":false}`), fault.Invalid, `unknown nested type "bag"`},
		"same id twice":    {schemaOf(`{"id":1,"name":"a","type":"int","required":false},{"id":1,"name":"b","type":"int","required":false}`), fault.Invalid, "multiple fields for id 1"},
		"same name":        {schemaOf(`{"id":1,"name":"a","type":"int","required":false},{"id":2,"name":"a","type":"int","required":false}`), fault.Invalid, "Invalid schema"},
		"no id":            {schemaOf(`{"name":"a","type":"int","required":false}`), fault.Invalid, "id: expected an integer"},
		"spec on no col":   {with(`"partition-spec":{"fields":[{"name":"p","transform":"identity","source-id":99}]}`), fault.Invalid, "Cannot find source column for partition field"},
		"spec by year":     {with(`"partition-spec":{"fields":[{"name":"p","transform":"year","source-id":10}]}`), fault.Invalid, "Invalid source type long for transform: year"},
		"spec named":       {with(`"partition-spec":{"fields":[{"name":"ts","transform":"bucket[4]","source-id":10}]}`), fault.IllegalArgument, "Cannot create identity partition sourced from different field"},
		"order on none":    {with(`"write-order":{"order-id":1,"fields":[{"transform":"identity","source-id":99,"direction":"asc","null-order":"nulls-first"}]}`), fault.Invalid, "Cannot find source column for sort field"},
		"order by nothing": {with(`"write-order":{"order-id":1,"fields":[]}`), fault.Invalid, "Invalid sort order"},
		"identifier": {
			`{"name":"t","schema":{"type":"struct","identifier-field-ids":[2],"fields":[
			{"id":1,"name":"a","type":"int","required":true},{"id":2,"name":"b","type":"int","required":false}]}}`,
			fault.IllegalArgument, "Cannot add field b as an identifier field: not a required field",
		},
		"identifier double": {`{"name":"t","schema":{"type":"struct","identifier-field-ids":[1],"fields":[
			{"id":1,"name":"a","type":"double","required":true}]}}`, fault.IllegalArgument, "must not be float or double field"},
		"identifier unknown": {`{"name":"t","schema":{"type":"struct","identifier-field-ids":[5],"fields":[
			{"id":1,"name":"a","type":"int","required":true}]}}`, fault.IllegalArgument, "cannot add fieldId 5 as an identifier field"},
		"identifier in list": {
			`{"name":"t","schema":{"type":"struct","identifier-field-ids":[2],"fields":[
			{"id":1,"name":"a","required":true,"type":{"type":"list","element-id":2,"element":"int","element-required":true}}]}}`,
			fault.IllegalArgument, "must not be nested in",
		},
		"identifier in optional": {
			`{"name":"t","schema":{"type":"struct","identifier-field-ids":[2],"fields":[
			{"id":1,"name":"a","required":false,"type":{"type":"struct","fields":[{"id":2,"name":"b","type":"int","required":true}]}}]}}`,
			fault.IllegalArgument, "must not be nested in an optional field",
		},
		"identifier struct": {
			`{"name":"t","schema":{"type":"struct","identifier-field-ids":[1],"fields":[
			{"id":1,"name":"a","required":true,"type":{"type":"struct","fields":[]}}]}}`,
			fault.IllegalArgument, "not a primitive type field",
		},
		"unknown required": {`{"name":"t","properties":{"format-version":"3"},"schema":{"type":"struct","fields":[
			{"id":1,"name":"a","type":"unknown","required":true}]}}`, fault.Invalid, "must be optional"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request, err := tables.ParseCreate([]byte(c.body))
			if err == nil {
				_, err = request.Build(location, at(start), uuids())
			}
			mustBe(t, err, c.kind, c.text)
		})
	}
}

func TestCreateOfVersion3(t *testing.T) {
	t.Parallel()
	made := build(t, `{"name":"t","properties":{"format-version":"3"},"schema":{"type":"struct","fields":[
		{"id":1,"name":"v","type":"variant","required":false},
		{"id":2,"name":"d","type":"long","required":false,"initial-default":9007199254740993,"write-default":7},
		{"id":3,"name":"u","type":"unknown","required":false},
		{"id":4,"name":"g","type":"geography(OGC:CRS84, karney)","required":false}]}}`)
	expect(t, made, "9007199254740993", "schemas", 0, "fields", 1, "initial-default")
	expect(t, made, `"geography(OGC:CRS84, karney)"`, "schemas", 0, "fields", 3, "type")
}
