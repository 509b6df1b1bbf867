package catalog_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog"
)

// A range is exclusive of its start, and has what was appended.
func TestPlanOfARange(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.table("t", false, nil)
	var ids []int64
	for i := range 3 {
		made = l.append(made, row(i+1, "a", "2024-01-01"))
		ids = append(ids, made.CurrentSnapshot().SnapshotID)
	}
	made, err := made.Delete(t.Context(), iceberg.EqualTo(iceberg.Reference("id"), int64(2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	deleted := made.CurrentSnapshot().SnapshotID
	l.append(made, row(5, "a", "2024-01-01"))
	between := func(start, end int64, more string) string {
		return fmt.Sprintf(`{"stats-fields":["id"],"start-snapshot-id":%d,"end-snapshot-id":%d%s}`, start, end, more)
	}
	for body, want := range map[string][]int{
		between(ids[0], ids[2], ""):  {2, 3},
		between(ids[1], ids[2], ""):  {3},
		between(ids[0], deleted, ""): {2, 3},
		between(ids[2], deleted, ""): {},
		between(ids[0], ids[2], `,"filter":{"type":"gt","term":"id","value":2}`): {3},
		fmt.Sprintf(`{"stats-fields":["id"],"snapshot-id":%d}`, ids[1]):          {1, 2},
		fmt.Sprintf(`{"stats-fields":["id"],"snapshot-id":%d}`, deleted):         {1, 3},
		`{"stats-fields":["id"]}`: {1, 3, 5},
	} {
		if got := l.files("t", body); !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", body, got, want)
		}
	}
	for body, want := range map[string]string{
		between(ids[2], ids[0], ""):                 "Field /start-snapshot-id: snapshot",
		between(ids[0], ids[0], ""):                 "Field /start-snapshot-id: snapshot",
		between(7, ids[0], ""):                      "Field /start-snapshot-id: snapshot 7 is not an ancestor",
		between(ids[0], 7, ""):                      "Field /end-snapshot-id: the table has no snapshot 7",
		between(ids[0], ids[1], `,"snapshot-id":1`): "Field /snapshot-id: must not be given together",
		`{"filter":null}`:                           "Field /filter: must not be null",
		`{"select":["nix"]}`:                        `Field /select: column "nix" does not exist`,
	} {
		if a := l.do(http.MethodPost, tablePath("t")+"/plan", body); a.status != 400 || !strings.HasPrefix(a.message(), "BadRequestException: "+want) {
			t.Errorf("%s: %d %s", body, a.status, a.text)
		}
	}
}

// The snapshot's schema has the names that the snapshot was written with.
func TestPlanWithASnapshotsSchema(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.append(l.table("t", false, nil), row(1, "a", "2024-01-01"))
	made = l.append(made, row(2, "b", "2024-01-01"))
	old := made.CurrentSnapshot().SnapshotID
	change := made.NewTransaction()
	if err := change.UpdateSchema(true, false).RenameColumn([]string{"kind"}, "sort").Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := change.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	body := `{"snapshot-id":%d,"use-snapshot-schema":%v,"stats-fields":["id"],"filter":{"type":"eq","term":%q,"value":"b"}}`
	for _, c := range []struct {
		own  bool
		name string
	}{{true, "kind"}, {false, "sort"}} {
		if got := l.files("t", fmt.Sprintf(body, old, c.own, c.name)); !slices.Equal(got, []int{2}) {
			t.Errorf("%v: %v", c, got)
		}
		if a := l.do(http.MethodPost, tablePath("t")+"/plan", fmt.Sprintf(body, old, !c.own, c.name)); a.status != 400 {
			t.Errorf("%v the other way: %d %s", c, a.status, a.text)
		}
	}
}

// No more files are told than have as many rows as are wanted.
func TestPlanOfAFewRows(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.table("t", true, iceberg.Properties{table.WriteDeleteModeKey: table.WriteModeMergeOnRead})
	for i := range 4 {
		made = l.append(made, row(10*i, "a", "2024-01-01"), row(10*i+1, "a", "2024-01-01"))
	}
	count := func(body string) int { return len(l.plan("t", body).Tasks) }
	ofA := `,"filter":{"type":"eq","term":"kind","value":"a"}}`
	some := `,"filter":{"type":"gt","term":"value","value":0.0}}`
	for body, want := range map[string]int{
		`{"min-rows-requested":0}`: 4, `{"min-rows-requested":1}`: 1, `{"min-rows-requested":2}`: 1,
		`{"min-rows-requested":3}`: 2, `{"min-rows-requested":100}`: 4,
		`{"min-rows-requested":3` + ofA: 2, `{"min-rows-requested":3` + some: 4,
		`{"min-rows-requested":3,"filter":true}`: 2, `{"min-rows-requested":3,"filter":{"type":"true"}}`: 2,
	} {
		if got := count(body); got != want {
			t.Errorf("%s: %d files, want %d", body, got, want)
		}
	}
	if _, err := made.Delete(t.Context(), iceberg.IsIn(iceberg.Reference("id"), int64(0), int64(10), int64(20), int64(30)), nil); err != nil {
		t.Fatal(err)
	}
	if got := count(`{"min-rows-requested":1}`); got != 4 {
		t.Errorf("of files with deletes, %d", got)
	}
}

// Deletes come with the files that they apply to, and readers see what is left.
func TestPlanWithDeletes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ version, content, format string }{
		{"2", "position-deletes", "parquet"}, {"3", "position-deletes", "puffin"}, {"2", "equality-deletes", "parquet"},
	} {
		t.Run(c.version+c.content, func(t *testing.T) {
			t.Parallel()
			l := newLake(t, serve(t, catalog.Config{}))
			made := l.table("t", false, iceberg.Properties{
				"format-version": c.version, table.WriteDeleteModeKey: table.WriteModeMergeOnRead,
			})
			made = l.append(made, row(1, "a", "2024-01-01"), row(2, "a", "2024-01-01"))
			made = l.append(made, row(3, "a", "2024-01-01"), row(4, "a", "2024-01-01"))
			made = l.remove(made, c.content, 2)
			made = l.append(made, row(2, "new", "2024-01-01"), row(5, "a", "2024-01-01"))

			r := l.plan("t", `{"stats-fields":["id"]}`)
			if len(r.Tasks) != 3 || len(r.DeleteFiles) != 1 || r.DeleteFiles[0].Content != c.content || r.DeleteFiles[0].Format != c.format {
				t.Fatalf("%+v", r)
			}
			for _, task := range r.Tasks {
				if first := firstID(t, task); first == 1 != slices.Equal(task.Deletes, []int{0}) && first != 3 {
					t.Errorf("the file of %d has deletes %v", first, task.Deletes)
				}
				if c.format == "puffin" && firstID(t, task) == 1 && r.DeleteFiles[0].Referenced != task.path() {
					t.Errorf("the deletion vector refers to %s", r.DeleteFiles[0].Referenced)
				}
			}
			if c.content == "equality-deletes" && !slices.Equal(r.DeleteFiles[0].EqualityIDs, []int{1}) {
				t.Errorf("equality ids: %v", r.DeleteFiles[0].EqualityIDs)
			}
			read, err := made.Scan(table.WithScanPlanningMode(table.ScanPlanningRemote)).ToArrowTable(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer read.Release()
			if read.NumRows() != 5 {
				t.Errorf("%d rows are left", read.NumRows())
			}
		})
	}
}

// remove deletes the row of an id, one way or the other.
func (l *lake) remove(from *table.Table, content string, id int64) *table.Table {
	l.t.Helper()
	if content == "position-deletes" {
		made, err := from.Delete(l.t.Context(), iceberg.EqualTo(iceberg.Reference("id"), id), nil)
		if err != nil {
			l.t.Fatal(err)
		}
		return made
	}
	keys, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(measuresArrow.Fields()[:1], nil),
		strings.NewReader(fmt.Sprintf(`[{"id":%d}]`, id)))
	if err != nil {
		l.t.Fatal(err)
	}
	defer keys.Release()
	change := from.NewTransaction()
	records := func(yield func(arrow.RecordBatch, error) bool) { yield(keys, nil) }
	if err := change.CommitEqualityDeletes(l.t.Context(), []int{1}, records, nil); err != nil {
		l.t.Fatal(err)
	}
	made, err := change.Commit(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return made
}
