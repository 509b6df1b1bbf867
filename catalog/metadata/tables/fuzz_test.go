package tables_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog/metadata/metadatatest"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// soundUpdates are updates that each do something to one of the fuzzed tables.
func soundUpdates() []string {
	return []string{
		addSchema(threeColumns) + "," + currentIsLast, addSpec(byDay) + "," + specIsLast, addOrder(byTS) + "," + orderIsLast,
		rows(9, 2, 9007199254740994, start, 9007199254740995, 1) + "," + setRef("main", 9, `,"max-ref-age-ms":1`),
		snapshot(9, 0, 0, start), `{"action":"remove-snapshots","snapshot-ids":[1,2]}`,
		`{"action":"remove-snapshot-ref","ref-name":"main"}`, `{"action":"set-properties","updates":{"a":"b"}}`,
		`{"action":"remove-properties","removals":["k"]}`, `{"action":"set-location","location":"/x"}`,
		`{"action":"upgrade-format-version","format-version":3}`, `{"action":"remove-schemas","schema-ids":[0]}`,
		`{"action":"remove-partition-specs","spec-ids":[0]}`,
		`{"action":"set-statistics","statistics":{"snapshot-id":2,"statistics-path":"p","file-size-in-bytes":1,"blob-metadata":null}}`,
		`{"action":"add-encryption-key","encryption-key":{"key-id":"x","encrypted-key-metadata":"AAAA"}}`,
		`{"action":"assign-uuid","uuid":"11111111-1111-4111-8111-111111111111"}`,
	}
}

// fuzzed returns tables of every age, and none, for a commit that creates one.
func fuzzed(t testing.TB) []*tables.Table {
	return []*tables.Table{create(t, 1), create(t, 2), register(t, newest), register(t, oldest), nil}
}

// mustBeSound applies a body that may be anything. What it makes, if it makes anything, must be readable by iceberg-go,
// in full, and by this package.
func mustBeSound(t interface {
	Fatalf(format string, args ...any)
}, base *tables.Table, body []byte,
) {
	commit, err := tables.ParseCommit(body)
	if err != nil {
		return
	}
	result, err := commit.Apply(base, at(start+1000), uuids())
	if err != nil || !result.Changed {
		return
	}
	if _, err := tables.Register("x", result.Table.Metadata); err != nil {
		t.Fatalf("%s\nmade a table that cannot be read: %v\n%s", body, err, result.Table.Metadata)
	}
}

// No commit body, however strange, makes Apply panic or makes a table that iceberg-go cannot read.
func FuzzApply(f *testing.F) {
	for _, update := range soundUpdates() {
		for base := range byte(5) {
			f.Add(base, []byte(`{"requirements":[],"updates":[`+update+`]}`))
		}
	}
	f.Add(byte(4), []byte(`{`+createRequired+`,`+createUpdates(rows(5, 0, 1, start, 0, 1), setRef("main", 5, ""))+`}`))
	bases := fuzzed(f)
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		mustBeSound(t, bases[int(which)%len(bases)], body)
	})
}

// Bytes at random are seldom JSON. Here sound bodies are bent where it hurts: values replaced, members lost or moved.
func TestBentUpdates(t *testing.T) {
	t.Parallel()
	bases := fuzzed(t)
	bodies := []string{`{` + createRequired + `,` + createUpdates(rows(5, 0, 1, start, 0, 1), setRef("main", 5, "")) + `}`}
	rapid.Check(t, func(t *rapid.T) {
		picked := rapid.SliceOfN(rapid.SampledFrom(soundUpdates()), 1, 4).Draw(t, "updates")
		sound := rapid.SampledFrom(append(bodies, `{"updates":[`+join(picked...)+`]}`)).Draw(t, "body")
		base := rapid.SampledFrom(bases).Draw(t, "base")
		mustBeSound(t, base, metadatatest.Bent(t, sound))
	})
}

// createRequests are sound requests of different shapes.
var createRequests = []string{
	`{"name":"t","schema":` + twoColumns + `,"properties":{"format-version":"3"}}`,
	`{"name":"t","schema":` + threeColumns + `,"partition-spec":{"fields":[{"name":"p","transform":"identity","source-id":1}]},
		"write-order":{"order-id":1,"fields":[` + byID + `]}}`,
	`{"name":"t","stage-create":true,"properties":{"format-version":"1"},"schema":{"type":"struct","identifier-field-ids":[1],"fields":[
		{"id":1,"name":"k","required":true,"type":"uuid"},{"id":2,"name":"s","required":true,"type":
		{"type":"map","key-id":3,"key":"string","value-id":4,"value-required":true,"value":{"type":"list","element-id":5,
		"element-required":true,"element":{"type":"struct","fields":[]}}}}]}}`,
}

func mustCreateSound(t interface {
	Fatalf(format string, args ...any)
}, body []byte,
) {
	request, err := tables.ParseCreate(body)
	if err != nil {
		return
	}
	made, err := request.Build("file:/x", at(start), uuids())
	if err != nil {
		return
	}
	if _, err := tables.Register("x", made.Metadata); err != nil {
		t.Fatalf("%s\nmade a table that cannot be read: %v\n%s", body, err, made.Metadata)
	}
}

// No create request makes a table that iceberg-go cannot read.
func FuzzCreate(f *testing.F) {
	for _, request := range createRequests {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, body []byte) { mustCreateSound(t, body) })
}

func TestBentCreates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mustCreateSound(t, metadatatest.Bent(t, rapid.SampledFrom(createRequests).Draw(t, "request")))
	})
}

// A metadata file may come from anyone. What Register accepts can be looked at, trimmed and committed to: each either
// works or says why not.
func TestBentFiles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := metadatatest.Bent(t, rapid.SampledFrom([]string{oldest, newest}).Draw(t, "file"))
		registered, err := tables.Register("file:/x/00001-a.metadata.json", text)
		if err != nil {
			return
		}
		if _, err := registered.Header(); err != nil {
			t.Fatalf("%s: header: %v", text, err)
		}
		if _, err := registered.Iceberg(); err != nil {
			t.Fatalf("%s: iceberg-go: %v", text, err)
		}
		if _, err := registered.Shown(tables.Refs); err != nil {
			t.Fatalf("%s: refs: %v", text, err)
		}
		mustBeSound(t, registered, []byte(`{"updates":[{"action":"set-properties","updates":{"a":"b"}}]}`))
		mustBeSound(t, registered, []byte(`{"updates":[`+join(addSpec(byDay), addOrder(byID), addSchema(threeColumns))+`]}`))
		mustBeSound(t, registered, []byte(`{"updates":[{"action":"remove-snapshots","snapshot-ids":[1,2]}]}`))
	})
}
