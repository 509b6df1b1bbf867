package tables_test

import (
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

func TestRequirements(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(snapshot(1<<60+1, 0, 1, start), setRef("main", 1<<60+1, ""),
		`{"action":"set-snapshot-ref","ref-name":"v1","type":"tag","snapshot-id":1152921504606846977}`))
	for requirement, want := range map[string]string{
		`{"type":"assert-create"}`: "table already exists",
		`{"type":"assert-table-uuid","uuid":"00000000-0000-4000-8000-000000000001"}`:       "",
		`{"type":"ASSERT-Table-UUID","uuid":"00000000-0000-4000-8000-00000000000A"}`:       "UUID does not match: expected 00000000-0000-4000-8000-000000000001 != 00000000-0000-4000-8000-00000000000A",
		`{"type":"assert-current-schema-id","current-schema-id":0}`:                        "",
		`{"type":"assert-current-schema-id","current-schema-id":1}`:                        "current schema changed: expected id 1 != 0",
		`{"type":"assert-last-assigned-field-id","last-assigned-field-id":2}`:              "",
		`{"type":"assert-last-assigned-field-id","last-assigned-field-id":3}`:              "last assigned field id changed: expected id 3 != 2",
		`{"type":"assert-default-spec-id","default-spec-id":0}`:                            "",
		`{"type":"assert-default-spec-id","default-spec-id":1}`:                            "default partition spec changed: expected id 1 != 0",
		`{"type":"assert-last-assigned-partition-id","last-assigned-partition-id":999}`:    "",
		`{"type":"assert-last-assigned-partition-id","last-assigned-partition-id":1000}`:   "last assigned partition id changed: expected id 1000 != 999",
		`{"type":"assert-default-sort-order-id","default-sort-order-id":0}`:                "",
		`{"type":"assert-default-sort-order-id","default-sort-order-id":1}`:                "default sort order changed: expected id 1 != 0",
		`{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":1152921504606846977}`: "",
		`{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":1152921504606846976}`: "branch main has changed: expected id 1152921504606846976 != 1152921504606846977",
		`{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":null}`:                "branch main was created concurrently",
		`{"type":"assert-ref-snapshot-id","ref":"v1"}`:                                     "tag v1 was created concurrently",
		`{"type":"assert-ref-snapshot-id","ref":"new","snapshot-id":null}`:                 "",
		`{"type":"assert-ref-snapshot-id","ref":"new"}`:                                    "",
		`{"type":"assert-ref-snapshot-id","ref":"new","snapshot-id":5}`:                    "branch or tag new is missing, expected 5",
		`{"type":"assert-last-assigned-field-id","last-assigned-field-id":9},
		 {"type":"assert-current-schema-id","current-schema-id":9}`: "last assigned field id changed",
	} {
		_, err := tryApply(base, `{"requirements":[`+requirement+`],"updates":[]}`)
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", requirement, err)
			}
			continue
		}
		mustBe(t, err, fault.CommitFailed, "Requirement failed: "+want)
	}
}

func TestUUIDsAreComparedWithoutCase(t *testing.T) {
	t.Parallel()
	base := register(t, newest)
	_, err := tryApply(base, `{"requirements":[{"type":"assert-table-uuid","uuid":"9c12d441-03fe-4693-9a96-a0705ddf69c1"}]}`)
	if err != nil {
		t.Error(err)
	}
	unchanged(t, base, `{"action":"assign-uuid","uuid":"9c12d441-03fe-4693-9a96-a0705ddf69c1"}`)
}

func TestCommitBodiesRefused(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	for body, text := range map[string]string{
		`[]`:                                     "Invalid commit request: expected a JSON object",
		`{"updates":{}}`:                         "field updates: expected an array",
		`{"updates":[1]}`:                        "field updates: element 0",
		`{"updates":[{}]}`:                       "updates[0]: field action",
		`{"updates":[{"action":null}]}`:          "updates[0]: field action",
		`{"updates":[{"action":"split-table"}]}`: "Unknown update action for a table: split-table",
		`{"updates":[{"action":"add-view-version","view-version":{}}]}`:                                                                 "Unknown update action for a table: add-view-version",
		`{"requirements":[{"type":"assert-weather"}]}`:                                                                                  "Unknown requirement type for a table: assert-weather",
		`{"requirements":[{"type":"assert-view-uuid","uuid":"x"}]}`:                                                                     "Unknown requirement type for a table: assert-view-uuid",
		`{"requirements":[{"type":"assert-ref-snapshot-id","snapshot-id":5}]}`:                                                          "Invalid assert-ref-snapshot-id: missing field ref",
		`{"requirements":[{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":"5"}]}`:                                           "Invalid assert-ref-snapshot-id: field snapshot-id: expected an integer",
		`{"updates":[{"action":"set-location"}]}`:                                                                                       "Invalid set-location: missing field location",
		`{"updates":[{"action":"set-current-schema","schema-id":1.5}]}`:                                                                 "Invalid set-current-schema: field schema-id: expected an integer, got 1.5",
		`{"updates":[{"action":"set-current-schema","schema-id":4294967296}]}`:                                                          "expected an integer of 32 bits",
		`{"updates":[{"action":"set-properties","updates":{"a":1}}]}`:                                                                   `Invalid set-properties: field updates: expected a string for key "a"`,
		`{"updates":[{"action":"remove-snapshots","snapshot-ids":[1,"2"]}]}`:                                                            "field snapshot-ids: element 1: expected an integer",
		`{"updates":[{"action":"set-snapshot-ref","ref-name":"x","type":"twig","snapshot-id":1}]}`:                                      "expected branch or tag, got twig",
		`{"updates":[{"action":"set-snapshot-ref","ref-name":"x","type":"branch","snapshot-id":1,"max-ref-age-ms":0}]}`:                 "field max-ref-age-ms: must be greater than 0",
		`{"updates":[{"action":"set-snapshot-ref","ref-name":"x","type":"tag","snapshot-id":1,"min-snapshots-to-keep":1}]}`:             "tags do not support setting min-snapshots-to-keep",
		`{"updates":[{"action":"set-snapshot-ref","ref-name":"x","type":"branch","snapshot-id":1,"min-snapshots-to-keep":2147483648}]}`: "must not be greater than 2147483647",
		`{"updates":[{"action":"add-snapshot","snapshot":{"snapshot-id":1,"timestamp-ms":1,"manifest-list":"l","schema-id":"x"}}]}`:     "Invalid add-snapshot: field snapshot",
		`{"updates":[{"action":"add-snapshot"}]}`:                                                                                       "Invalid add-snapshot: missing field snapshot",
		`{"updates":[{"action":"set-snapshot-ref","ref-name":"x","type":"tag","snapshot-id":1,"max-snapshot-age-ms":1}]}`:               "tags do not support setting max-snapshot-age-ms",
		`{"updates":[{"action":"add-snapshot","snapshot":{"snapshot-id":1}}]}`:                                                          "Invalid snapshot: missing field timestamp-ms",
		`{"updates":[{"action":"set-statistics","statistics":{"snapshot-id":1}}]}`:                                                      "Invalid statistics: missing field statistics-path",
		`{"updates":[{"action":"add-encryption-key","encryption-key":[]}]}`:                                                             "Invalid add-encryption-key: field encryption-key",
	} {
		_, err := tryApply(base, body)
		mustBe(t, err, fault.Invalid, text)
	}
}

func TestCommitOfNothing(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	for _, body := range []string{`{}`, `{"requirements":null,"updates":null}`, `{"requirements":[],"updates":[],"identifier":null}`} {
		result, err := tryApply(base, body)
		if err != nil || result.Changed || result.Table != base {
			t.Errorf("%s: %v, %v", body, result, err)
		}
	}
}
