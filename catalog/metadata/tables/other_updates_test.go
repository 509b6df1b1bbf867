package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

func TestProperties(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	made := apply(t, base, `{"action":"set-properties","updates":{"a":"1","b":"\u00e9 \ud83d\ude00","format-version":"1","uuid":"x"}}`)
	expect(t, made, `{"a":"1","b":"é 😀","write.parquet.compression-codec":"zstd"}`, "properties")
	made = apply(t, made, join(`{"action":"set-properties","updated":{"c":"3"}}`, `{"action":"remove-properties","removed":["a"]}`,
		`{"action":"set-properties","updates":{"d":"4"},"updated":{"no":"no"}}`,
		`{"action":"remove-properties","removals":["b","none"],"removed":["c"]}`))
	expect(t, made, `{"c":"3","d":"4","write.parquet.compression-codec":"zstd"}`, "properties")
	unchanged(t, made, join(`{"action":"set-properties","updates":{"c":"3"}}`, `{"action":"set-properties","updates":{}}`,
		`{"action":"remove-properties","removals":["none"]}`, `{"action":"set-properties","updates":{"format-version":"3"}}`))
}

func TestLocation(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	unchanged(t, base, `{"action":"set-location","location":"`+location+`"}`)
	made := apply(t, base, `{"action":"set-location","location":"file:/tmp/elsewhere/"}`)
	expect(t, made, `"file:/tmp/elsewhere/"`, "location")
	if want := "file:/tmp/elsewhere/metadata/00001-00000000-0000-4000-8000-000000000001.metadata.json"; made.MetadataLocation != want {
		t.Errorf("metadata location %s", made.MetadataLocation)
	}
	refused(t, base, `{"action":"set-location","location":""}`, fault.IllegalArgument, "Invalid location")
}

func TestUUID(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	unchanged(t, base, `{"action":"assign-uuid","uuid":"00000000-0000-4000-8000-000000000001"}`)
	refused(t, base, `{"action":"assign-uuid","uuid":"00000000-0000-4000-8000-00000000000f"}`, fault.IllegalArgument, "Cannot reassign uuid")
	refused(t, base, `{"action":"assign-uuid","uuid":"{00000000-0000-4000-8000-000000000001}"}`, fault.IllegalArgument, "Invalid uuid")
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	upgradeTo := func(version int) string {
		return fmt.Sprintf(`{"action":"upgrade-format-version","format-version":%d}`, version)
	}
	one := create(t, 1)
	two := apply(t, one, upgradeTo(2))
	expect(t, two, "0", "last-sequence-number")
	expect(t, two, "", "schema")
	expect(t, two, "", "partition-spec")
	expect(t, two, "-1", "current-snapshot-id")
	three := apply(t, two, upgradeTo(3))
	expect(t, three, "0", "next-row-id")
	expect(t, three, "", "current-snapshot-id")
	apply(t, one, upgradeTo(3))
	unchanged(t, two, upgradeTo(2))
	refused(t, two, upgradeTo(1), fault.IllegalArgument, "Cannot downgrade v2 table to v1")
	refused(t, two, upgradeTo(4), fault.IllegalArgument, "Cannot upgrade table to unsupported format version: v4 (supported: v3)")
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	set := func(snapshot int, path string) string {
		return fmt.Sprintf(`{"action":"set-statistics","snapshot-id":1,"statistics":{"snapshot-id":%d,"statistics-path":%q,
			"file-size-in-bytes":1,"file-footer-size-in-bytes":1,"blob-metadata":[{"type":"from-a-newer-engine","snapshot-id":1,
			"sequence-number":1,"fields":[1],"extra":9007199254740993}]}}`, snapshot, path)
	}
	base := apply(t, create(t, 2), join(snapshot(1, 0, 1, start), set(1, "a"), set(2, "b"), set(1, "c")))
	expect(t, base, `"c"`, "statistics", 0, "statistics-path")
	expect(t, base, `"b"`, "statistics", 1, "statistics-path")
	expect(t, base, `9007199254740993`, "statistics", 0, "blob-metadata", 0, "extra")
	made := apply(t, base, `{"action":"remove-statistics","snapshot-id":1}`)
	expect(t, made, `"b"`, "statistics", 0, "statistics-path")
	unchanged(t, made, `{"action":"remove-statistics","snapshot-id":1}`)

	const incomplete = `{"action":"set-statistics","statistics":{"snapshot-id":1,"statistics-path":"p","file-size-in-bytes":1%s}}`
	refused(t, base, fmt.Sprintf(incomplete, ""), fault.Invalid, "Invalid statistics: missing field file-footer-size-in-bytes")
	refused(t, base, fmt.Sprintf(incomplete, `,"file-footer-size-in-bytes":1`), fault.Invalid, "missing field blob-metadata")
	refused(t, base, fmt.Sprintf(incomplete, `,"file-footer-size-in-bytes":1,"blob-metadata":[7]`), fault.Invalid, "field blob-metadata")
	refused(t, base, fmt.Sprintf(incomplete, `,"file-footer-size-in-bytes":1,"blob-metadata":[{"type":"t"}]`), fault.Invalid,
		"Invalid blob metadata: missing field snapshot-id")
	refused(t, base, `{"action":"set-partition-statistics","partition-statistics":{"snapshot-id":1}}`, fault.Invalid,
		"Invalid partition-statistics: missing field statistics-path")
	refused(t, base, `{"action":"set-partition-statistics"}`, fault.Invalid, "missing field partition-statistics")

	partition := `{"action":"set-partition-statistics","partition-statistics":{"snapshot-id":1,"statistics-path":"p","file-size-in-bytes":1}}`
	made = apply(t, made, partition)
	expect(t, made, `"p"`, "partition-statistics", 0, "statistics-path")
	made = apply(t, made, `{"action":"remove-partition-statistics","snapshot-id":1}`)
	expect(t, made, "[]", "partition-statistics")
	unchanged(t, made, `{"action":"remove-partition-statistics","snapshot-id":1}`)
}

func TestEncryptionKeys(t *testing.T) {
	t.Parallel()
	add := func(id, metadata string) string {
		return fmt.Sprintf(`{"action":"add-encryption-key","encryption-key":{"key-id":%q,"encrypted-key-metadata":%q,"extra":1}}`, id, metadata)
	}
	base := apply(t, create(t, 3), add("a", "AAAA"))
	expect(t, base, `[{"encrypted-key-metadata":"AAAA","extra":1,"key-id":"a"}]`, "encryption-keys")
	unchanged(t, base, add("a", "BBBB"))
	made := apply(t, base, join(add("b", "CCCC"), `{"action":"remove-encryption-key","key-id":"a"}`))
	expect(t, made, `"b"`, "encryption-keys", 0, "key-id")
	unchanged(t, made, `{"action":"remove-encryption-key","key-id":"a"}`)
	refused(t, create(t, 2), add("a", "AAAA"), fault.Invalid, "Encryption keys are not supported until v3")
	refused(t, base, `{"action":"add-encryption-key","encryption-key":{"key-id":"x"}}`, fault.Invalid, "missing field encrypted-key-metadata")
}

func TestMetadataLog(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	files := []string{}
	for i := range 4 {
		files = append(files, base.MetadataLocation)
		base = apply(t, base, fmt.Sprintf(`{"action":"set-properties","updates":{"n":"%d"}}`, i))
		base.MetadataLocation = fmt.Sprintf("%s/metadata/%05d-x.metadata.json", location, i+1)
	}
	expect(t, base, fmt.Sprintf(`{"metadata-file":%q,"timestamp-ms":%d}`, files[0], start), "metadata-log", 0)
	expect(t, base, fmt.Sprintf(`{"metadata-file":%q,"timestamp-ms":%d}`, files[3], start+1000), "metadata-log", 3)

	// The commit's own properties count, and name what is to be deleted.
	shorten := `{"action":"set-properties","updates":{"write.metadata.previous-versions-max":"2"%s}}`
	result, err := tryApply(base, `{"updates":[`+fmt.Sprintf(shorten, "")+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, result.Table, fmt.Sprintf("%q", files[3]), "metadata-log", 0, "metadata-file")
	expect(t, result.Table, fmt.Sprintf("%q", base.MetadataLocation), "metadata-log", 1, "metadata-file")
	if result.Expired != nil {
		t.Errorf("a table that does not want files deleted loses %v", result.Expired)
	}
	result, err = tryApply(base, `{"updates":[`+fmt.Sprintf(shorten, `,"write.metadata.delete-after-commit.enabled":"TRUE"`)+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files[:3], result.Expired); diff != "" {
		t.Error(diff)
	}
	// At least one entry is kept, and a number that is none is refused by name.
	made := apply(t, base, `{"action":"set-properties","updates":{"write.metadata.previous-versions-max":"0"}}`)
	expect(t, made, fmt.Sprintf("%q", base.MetadataLocation), "metadata-log", 0, "metadata-file")
	expect(t, made, "", "metadata-log", 1)
	refused(t, base, `{"action":"set-properties","updates":{"write.metadata.previous-versions-max":"x"}}`, fault.Invalid,
		"Property write.metadata.previous-versions-max must have integer value: x")
}

// A file that is named twice stays as long as either entry does.
func TestMetadataFilesStillNamedAreNotExpired(t *testing.T) {
	t.Parallel()
	base := register(t, strings.Replace(string(create(t, 2).Metadata), `"metadata-log":[]`, `"metadata-log":[
		{"timestamp-ms":1,"metadata-file":"twice"},{"timestamp-ms":2,"metadata-file":"once"},{"timestamp-ms":3,"metadata-file":"twice"}]`, 1))
	result, err := tryApply(base, `{"updates":[{"action":"set-properties","updates":{"write.metadata.previous-versions-max":"2",
		"write.metadata.delete-after-commit.enabled":"true"}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"once"}, result.Expired); diff != "" {
		t.Error(diff)
	}
}

// An upgrade changes the rules for every snapshot, not only for those that are in view.
func TestUpgradeLooksAtTheWholeHistory(t *testing.T) {
	t.Parallel()
	base := register(t, strings.Replace(string(create(t, 1).Metadata), `"snapshots":[]`,
		`"snapshots":[{"snapshot-id":1,"sequence-number":5,"timestamp-ms":1,"manifest-list":"l"}]`, 1))
	refused(t, base, `{"action":"upgrade-format-version","format-version":2}`, fault.Invalid, "greater than last-sequence-number 0")
}

func TestTimeNeverRunsBackwards(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	commit, err := tables.ParseCommit([]byte(`{"updates":[` + join(snapshot(1, 0, 1, start), setRef("main", 1, "")) + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	result, err := commit.Apply(base, at(start-3_600_000), uuids())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, result.Table, fmt.Sprint(start), "last-updated-ms")
	commit, err = tables.ParseCommit([]byte(`{"updates":[{"action":"set-properties","updates":{"a":"b"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if result, err = commit.Apply(base, at(start-3_600_000), uuids()); err != nil {
		t.Fatal(err)
	}
	expect(t, result.Table, fmt.Sprint(start), "last-updated-ms")
}

func TestMetadataLogHasAHundredEntries(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	for i := range 105 {
		base = apply(t, base, fmt.Sprintf(`{"action":"set-properties","updates":{"n":"%d"}}`, i))
		base.MetadataLocation = fmt.Sprintf("%05d-x.metadata.json", i+1)
	}
	expect(t, base, `"00005-x.metadata.json"`, "metadata-log", 0, "metadata-file")
	expect(t, base, `"00104-x.metadata.json"`, "metadata-log", 99, "metadata-file")
	expect(t, base, "", "metadata-log", 100)
}

func TestMetadataFilesAreNumbered(t *testing.T) {
	t.Parallel()
	for previous, want := range map[string]string{
		"file:/x/00041-a-b.metadata.json":    "/00042-",
		"file:/x/99999-a.gz.metadata.json":   "/100000-",
		"file:/x/v3.metadata.json":           "/00000-",
		"file:/x/not-a-number.metadata.json": "/00000-",
		"plain-name":                         "/00000-",
		"00007-x":                            "/00008-",
	} {
		base := create(t, 2)
		base = &tables.Table{MetadataLocation: previous, Metadata: base.Metadata}
		made := apply(t, base, `{"action":"set-properties","updates":{"a":"b"}}`)
		if got := made.MetadataLocation; got != location+"/metadata"+want+"00000000-0000-4000-8000-000000000001.metadata.json" {
			t.Errorf("after %s comes %s", previous, got)
		}
	}
}
