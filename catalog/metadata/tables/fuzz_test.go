package tables_test

import (
	"testing"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// No commit body, however strange, makes Apply panic or makes a table that iceberg-go cannot read.
func FuzzApply(f *testing.F) {
	for _, update := range []string{
		addSchema(threeColumns) + "," + currentIsLast, addSpec(byDay) + "," + specIsLast, addOrder(byTs) + "," + orderIsLast,
		rows(9, 2, 9007199254740994, start, 9007199254740995, 1) + "," + setRef("main", 9, `,"max-ref-age-ms":1`),
		snapshot(9, 0, 0, start), `{"action":"remove-snapshots","snapshot-ids":[1,2]}`,
		`{"action":"remove-snapshot-ref","ref-name":"main"}`, `{"action":"set-properties","updates":{"a":"b"}}`,
		`{"action":"remove-properties","removals":["k"]}`, `{"action":"set-location","location":"/x"}`,
		`{"action":"upgrade-format-version","format-version":3}`, `{"action":"remove-schemas","schema-ids":[0]}`,
		`{"action":"remove-partition-specs","spec-ids":[0]}`,
		`{"action":"set-statistics","statistics":{"snapshot-id":2,"statistics-path":"p","file-size-in-bytes":1,"blob-metadata":null}}`,
		`{"action":"add-encryption-key","encryption-key":{"key-id":"x","encrypted-key-metadata":"AAAA"}}`,
		`{"action":"assign-uuid","uuid":"11111111-1111-4111-8111-111111111111"}`,
	} {
		for version := range byte(5) {
			f.Add(version, []byte(`{"requirements":[],"updates":[`+update+`]}`))
		}
	}
	f.Add(byte(4), []byte(`{`+createRequired+`,`+createUpdates(rows(5, 0, 1, start, 0, 1), setRef("main", 5, ""))+`}`))
	bases := []*tables.Table{create(f, 1), create(f, 2), register(f, newest), register(f, oldest), nil}
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		commit, err := tables.ParseCommit(body)
		if err != nil {
			return
		}
		result, err := commit.Apply(bases[int(which)%len(bases)], at(start+1000), uuids())
		if err != nil || !result.Changed {
			return
		}
		if _, err := table.ParseMetadataBytes(result.Table.Metadata); err != nil {
			t.Fatalf("%v\n%s", err, result.Table.Metadata)
		}
		if _, err := tables.Register("x", result.Table.Metadata); err != nil {
			t.Fatalf("%v\n%s", err, result.Table.Metadata)
		}
	})
}

// No create request makes a table that iceberg-go cannot read.
func FuzzCreate(f *testing.F) {
	f.Add([]byte(`{"name":"t","schema":` + twoColumns + `,"properties":{"format-version":"3"}}`))
	f.Add([]byte(`{"name":"t","schema":` + threeColumns + `,"partition-spec":{"fields":[{"name":"p","transform":"identity","source-id":1}]},
		"write-order":{"order-id":1,"fields":[` + byID + `]}}`))
	f.Add([]byte(`{"name":"t","schema":{"type":"struct","identifier-field-ids":[2],"fields":[{"id":2,"name":"s","required":true,"type":
		{"type":"map","key-id":3,"key":"string","value-id":4,"value-required":true,"value":{"type":"list","element-id":5,
		"element-required":true,"element":{"type":"struct","fields":[]}}}}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := tables.ParseCreate(body)
		if err != nil {
			return
		}
		made, err := request.Build("file:/x", at(start), uuids())
		if err != nil {
			return
		}
		if _, err := tables.Register("x", made.Metadata); err != nil {
			t.Fatalf("%v\n%s", err, made.Metadata)
		}
	})
}
