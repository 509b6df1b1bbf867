package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

const createRequired = `"requirements":[{"type":"assert-create"}]`

// createUpdates are what a client sends to create a table that was staged, as the Java client orders them.
func createUpdates(more ...string) string {
	return `"updates":[` + join(append([]string{
		`{"action":"assign-uuid","uuid":"11111111-1111-4111-8111-111111111111"}`,
		`{"action":"upgrade-format-version","format-version":3}`,
		addSchema(`{"type":"struct","schema-id":0,"fields":[{"id":3,"name":"id","type":"long","required":true},
			{"id":8,"name":"v","type":"variant","required":false}]}`), currentIsLast,
		addSpec(`{"name":"id","transform":"identity","source-id":3,"field-id":1005}`), specIsLast,
		addOrder(`{"transform":"identity","source-id":3,"direction":"asc","null-order":"nulls-first"}`), orderIsLast,
		`{"action":"set-location","location":"file:/tmp/new/"}`,
		`{"action":"set-properties","updates":{"a":"b","format-version":"3"}}`,
	}, more...)...) + `]`
}

func createByCommit(body string) (*tables.Result, error) {
	commit, err := tables.ParseCommit([]byte(body))
	if err != nil {
		return nil, err
	}
	return commit.Apply(nil, at(start), uuids())
}

// case C3, C11: a staged create is finished by a commit with assert-create, whose ids are kept.
func TestCreateCommit(t *testing.T) {
	t.Parallel()
	result, err := createByCommit(`{` + createRequired + `,` + createUpdates(rows(5, 0, 1, start-5, 0, 10), setRef("main", 5, "")) + `}`)
	if err != nil {
		t.Fatal(err)
	}
	made := result.Table
	mustParse(t, made)
	for name, want := range map[string]string{
		"table-uuid": `"11111111-1111-4111-8111-111111111111"`, "format-version": "3", "last-column-id": "8",
		"current-schema-id": "0", "default-spec-id": "0", "last-partition-id": "1005", "default-sort-order-id": "1",
		"location": `"file:/tmp/new/"`, "properties": `{"a":"b"}`, "metadata-log": "[]", "last-sequence-number": "1",
		"current-snapshot-id": "5", "next-row-id": "10", "snapshot-log": fmt.Sprintf(`[{"snapshot-id":5,"timestamp-ms":%d}]`, start-5),
	} {
		expect(t, made, want, name)
	}
	expect(t, made, "3", "schemas", 0, "fields", 0, "id")
	if want := "file:/tmp/new/metadata/00000-00000000-0000-4000-8000-000000000001.metadata.json"; made.MetadataLocation != want {
		t.Errorf("metadata location %s", made.MetadataLocation)
	}
}

func TestCreateCommitOfLittle(t *testing.T) {
	t.Parallel()
	result, err := createByCommit(`{` + createRequired + `,"updates":[` + join(addSchema(twoColumns), currentIsLast,
		`{"action":"set-location","location":"file:/tmp/new"}`) + `]}`)
	if err != nil {
		t.Fatal(err)
	}
	mustParse(t, result.Table)
	expect(t, result.Table, "2", "format-version")
	expect(t, result.Table, `[{"fields":[],"spec-id":0}]`, "partition-specs")
	expect(t, result.Table, `"00000000-0000-4000-8000-000000000001"`, "table-uuid")
}

func TestCreateCommitRefused(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	_, err := tryApply(base, `{`+createRequired+`,`+createUpdates()+`}`)
	mustBe(t, err, fault.CommitFailed, "Requirement failed: table already exists")

	for body, c := range map[string]struct {
		kind fault.Kind
		text string
	}{
		`{"requirements":[{"type":"assert-create"},{"type":"assert-current-schema-id","current-schema-id":0}]}`: {
			fault.IllegalArgument, "Invalid create requirements: [assert-current-schema-id]",
		},
		`{"updates":[]}`:                        {fault.Invalid, "Cannot commit to a table that does not exist"},
		`{` + createRequired + `,"updates":[]}`: {fault.IllegalArgument, "Invalid location: null"},
		`{` + createRequired + `,"updates":[{"action":"set-location","location":"/x"}]}`: {fault.Invalid, "without a current schema"},
		`{` + createRequired + `,"updates":[{"action":"upgrade-format-version","format-version":9}]}`: {
			fault.IllegalArgument, "Unsupported format version: v9",
		},
		`{` + createRequired + `,"updates":[` + addSpec(byDay) + `]}`: {fault.Invalid, "no schema has been set"},
		`{` + createRequired + `,"updates":[` + join(addSchema(twoColumns), currentIsLast, addSpec(""),
			`{"action":"set-location","location":"/x"}`) + `]}`: {fault.Invalid, "without a default partition spec"},
		`{` + createRequired + `,"updates":[` + join(addSchema(twoColumns), currentIsLast, addOrder(
			`{"transform":"identity","source-id":10,"direction":"asc","null-order":"nulls-first"}`),
			`{"action":"set-location","location":"/x"}`) + `]}`: {fault.Invalid, "without a default sort order"},
		`{` + createRequired + `,` + createUpdates(rows(5, 0, 2, start, 0, 10), rows(6, 5, 1, start, 10, 10)) + `}`: {
			fault.Invalid, "Cannot add snapshot with sequence number 1 older than last sequence number 2",
		},
	} {
		_, err := createByCommit(body)
		mustBe(t, err, c.kind, c.text)
	}
}

// A replace drops main and sets everything else anew; the old snapshots and the log stay.
func TestReplaceCommit(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(snapshot(1, 0, 1, start), setRef("main", 1, "")))
	body := func(requirements string) string {
		return `{"requirements":[{"type":"assert-table-uuid","uuid":"00000000-0000-4000-8000-000000000001"}` + requirements + `],
			"updates":[` + join(`{"action":"remove-snapshot-ref","ref-name":"main"}`,
			addSchema(`{"type":"struct","fields":[{"id":3,"name":"other","type":"string","required":false}]}`), currentIsLast,
			addSpec(`{"name":"other","transform":"identity","source-id":3,"field-id":1000}`), specIsLast,
			`{"action":"add-snapshot","snapshot":`+snapshotText(2, 0, 2, start+1, "")+`}`, setRef("main", 2, "")) + `]}`
	}
	const fieldID = `,{"type":"assert-last-assigned-field-id","last-assigned-field-id":2}`
	result, err := tryApply(base, body(fieldID))
	if err != nil {
		t.Fatal(err)
	}
	made := result.Table
	mustParse(t, made)
	expect(t, made, "1", "current-schema-id")
	expect(t, made, "1", "default-spec-id")
	expect(t, made, "1", "snapshots", 0, "snapshot-id")
	expect(t, made, fmt.Sprintf(`[{"snapshot-id":1,"timestamp-ms":%d},{"snapshot-id":2,"timestamp-ms":%d}]`, start, start+1), "snapshot-log")
	expect(t, made, `{"main":{"snapshot-id":2,"type":"branch"}}`, "refs")

	// The loser of two racing replaces fails only if it added a schema, even an identical one.
	_, err = tryApply(made, body(fieldID))
	mustBe(t, err, fault.CommitFailed, "Requirement failed: last assigned field id changed: expected id 2 != 3")
	second := strings.NewReplacer(`"snapshot-id":2,`, `"snapshot-id":3,`, `"sequence-number":2`, `"sequence-number":3`,
		`"type":"branch","snapshot-id":2`, `"type":"branch","snapshot-id":3`).Replace(body(""))
	result, err = tryApply(made, second)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, result.Table, `{"main":{"snapshot-id":3,"type":"branch"}}`, "refs")
	expect(t, result.Table, "1", "current-schema-id")
}

func TestACommitCanBeAppliedAgain(t *testing.T) {
	t.Parallel()
	commit, err := tables.ParseCommit([]byte(`{"updates":[` + join(addSpec(`{"name":"d","transform":"day","source-id":2}`),
		addOrder(byTS), `{"action":"set-properties","updates":{"a":"b"}}`, snapshot(7, 0, 9, start), setRef("x", 7, "")) + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	base := create(t, 2)
	first, err := commit.Apply(base, at(start), uuids())
	if err != nil {
		t.Fatal(err)
	}
	winner := apply(t, base, join(addSpec(byBucketFirst), addOrder(byID)))
	again, err := commit.Apply(winner, at(start), uuids())
	if err != nil {
		t.Fatal(err)
	}
	mustParse(t, again.Table)
	expect(t, again.Table, "1001", "partition-specs", 2, "fields", 0, "field-id")
	expect(t, again.Table, "2", "sort-orders", 2, "order-id")
	third, err := commit.Apply(base, at(start), uuids())
	if err != nil {
		t.Fatal(err)
	}
	if string(third.Table.Metadata) != string(first.Table.Metadata) {
		t.Error("a commit must do the same to the same base, however often it is applied")
	}
}

// A commit may be applied by several goroutines at once; -race watches.
func TestACommitCanBeAppliedAtOnce(t *testing.T) {
	t.Parallel()
	properties := []string{}
	for i := range 40 {
		properties = append(properties, fmt.Sprintf(`"k%d":"v"`, i))
	}
	commit, err := tables.ParseCommit([]byte(`{"updates":[` + join(`{"action":"set-properties","updates":{`+join(properties...)+`}}`,
		addSchema(threeColumns), currentIsLast, addSpec(byDay), addOrder(byTS), snapshot(7, 0, 9, start), setRef("x", 7, ""),
		`{"action":"remove-properties","removals":["k1"]}`) + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	base := create(t, 2)
	results := make(chan error)
	for range 8 {
		go func() {
			_, err := commit.Apply(base, at(start), uuids())
			results <- err
		}()
	}
	for range 8 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

const byBucketFirst = `{"name":"id_bucket","transform":"bucket[4]","source-id":1,"field-id":1000}`

func TestABrokenBaseIsNotTheClientsFault(t *testing.T) {
	t.Parallel()
	base := &tables.Table{MetadataLocation: "file:/x", Metadata: []byte(`{"format-version":2}`)}
	_, err := tryApply(base, `{"updates":[]}`)
	if err == nil || fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "table metadata file:/x: location: missing") {
		t.Errorf("got %v", err)
	}
}
