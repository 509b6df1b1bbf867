package tables_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

func TestHeader(t *testing.T) {
	t.Parallel()
	current := int64(2)
	header, err := register(t, newest).Header()
	if err != nil {
		t.Fatal(err)
	}
	want := &tables.Header{
		FormatVersion: 3, UUID: "9C12D441-03FE-4693-9A96-A0705DDF69C1", Location: "abfss://c@a.dfs.core.windows.net/t",
		LastUpdated: start, CurrentSnapshot: &current, Properties: map[string]string{"k": "ünicöde 😀"},
	}
	if diff := cmp.Diff(want, header); diff != "" {
		t.Error(diff)
	}
	if header, err = create(t, 2).Header(); err != nil || header.CurrentSnapshot != nil {
		t.Errorf("an empty table has the snapshot %v, %v", header.CurrentSnapshot, err)
	}
	for _, broken := range []string{``, `[]`, `{"format-version":"2"}`} {
		if _, err := (&tables.Table{Metadata: []byte(broken)}).Header(); err == nil {
			t.Errorf("%q has a header", broken)
		}
	}
}

func TestIceberg(t *testing.T) {
	t.Parallel()
	metadata, err := register(t, newest).Iceberg()
	if err != nil || len(metadata.Snapshots()) != 2 {
		t.Errorf("got %v, %v", metadata, err)
	}
	if _, err := (&tables.Table{Metadata: []byte(`{}`)}).Iceberg(); err == nil {
		t.Error("nothing is no table")
	}
}

func TestRegisterRefuses(t *testing.T) {
	t.Parallel()
	sound := string(create(t, 2).Metadata)
	for name, text := range map[string]string{
		"no JSON":          `not json`,
		"not UTF-8":        "{\"a\":\"\xff\"}",
		"something else":   `{"view-uuid":"x"}`,
		"a later format":   strings.Replace(sound, `"format-version":2`, `"format-version":4`, 1),
		"no location":      strings.Replace(sound, `"location"`, `"lieu"`, 1),
		"unknown type":     strings.Replace(sound, `"long"`, `"quark"`, 1),
		"ids of 64 bits":   strings.Replace(sound, `"spec-id":0`, `"spec-id":4294967296`, 1),
		"dangling current": strings.Replace(sound, `"current-snapshot-id":-1`, `"current-snapshot-id":5`, 1),
	} {
		_, err := tables.Register("file:/x.metadata.json", []byte(text))
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "file:/x.metadata.json") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// case C14: refs mode trims the snapshots, never the log.
func TestShown(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	for id := int64(1); id <= 5; id++ {
		base = apply(t, base, join(snapshot(id, id-1, id, start+id), setRef("main", id, "")))
	}
	base = apply(t, base, `{"action":"set-snapshot-ref","ref-name":"t","type":"tag","snapshot-id":2}`)
	all, err := base.Shown(tables.All)
	if err != nil || string(all) != string(base.Metadata) {
		t.Errorf("all: %v", err)
	}
	refs, err := base.Shown(tables.Refs)
	if err != nil {
		t.Fatal(err)
	}
	before, after := decode(t, all), decode(t, refs)
	var ids []string
	snapshots, _ := after["snapshots"].([]any)
	for _, s := range snapshots {
		ids = append(ids, fmt.Sprint(s.(map[string]any)["snapshot-id"]))
	}
	if diff := cmp.Diff([]string{"2", "5"}, ids); diff != "" {
		t.Error(diff)
	}
	delete(before, "snapshots")
	delete(after, "snapshots")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	if log, _ := after["snapshot-log"].([]any); len(log) != 5 {
		t.Errorf("the log has %d entries", len(log))
	}

	// A table whose refs were never written has main all the same.
	old := &tables.Table{Metadata: []byte(oldest)}
	if shown, err := old.Shown(tables.Refs); err != nil || string(shown) != oldest {
		t.Errorf("%s, %v", shown, err)
	}
	for _, broken := range []string{`[`, `{"snapshots":[{}]}`, `{"refs":{"main":{}}}`, `{"snapshots":7}`} {
		if shown, err := (&tables.Table{Metadata: []byte(broken)}).Shown(tables.Refs); err == nil {
			t.Errorf("%s shows %s", broken, shown)
		}
	}
}

func TestModesAndTags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]tables.Mode{"": tables.All, "all": tables.All, "refs": tables.Refs} {
		if mode, err := tables.ParseMode(text); err != nil || mode != want {
			t.Errorf("%q is %q, %v", text, mode, err)
		}
	}
	_, err := tables.ParseMode("some")
	mustBe(t, err, fault.IllegalArgument, "Invalid snapshot mode: some")

	all, refs := tables.ETag("file:/a", tables.All), tables.ETag("file:/a", tables.Refs)
	if all == refs || all == tables.ETag("file:/b", tables.All) || all != tables.ETag("file:/a", tables.All) {
		t.Error("a tag depends on location and mode, and on nothing else")
	}
	if len(all) != 34 || !json.Valid([]byte(all)) {
		t.Errorf("tag %s", all)
	}
}
