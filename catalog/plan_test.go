package catalog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	iceberggo "github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/runtime"
)

// lake is a server with a client that writes real tables through it.
type lake struct {
	server
	t      *testing.T
	client *rest.Catalog
}

func newLake(t *testing.T, s server) *lake {
	t.Helper()
	s.withNamespace()
	client, err := rest.NewCatalog(t.Context(), "lake", s.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return &lake{server: s, t: t, client: client}
}

var (
	// measures have a column of most kinds. Partitions are by kind.
	measures = iceberg.NewSchema(0,
		iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64, Required: true},
		iceberg.NestedField{ID: 2, Name: "kind", Type: iceberg.PrimitiveTypes.String},
		iceberg.NestedField{ID: 3, Name: "value", Type: iceberg.PrimitiveTypes.Float64},
		iceberg.NestedField{ID: 4, Name: "day", Type: iceberg.PrimitiveTypes.Date})
	measuresArrow = arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "kind", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "value", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	}, nil)
)

// table creates a table of measures, partitioned by kind if asked for.
func (l *lake) table(name string, partitioned bool, properties iceberg.Properties) *table.Table {
	l.t.Helper()
	options := []iceberggo.CreateTableOpt{iceberggo.WithProperties(properties)}
	if partitioned {
		spec, err := iceberg.NewPartitionSpecOpts(
			iceberg.AddPartitionFieldByName("kind", "kind", iceberg.IdentityTransform{}, measures, nil),
			iceberg.AddPartitionFieldByName("day", "month", iceberg.MonthTransform{}, measures, nil))
		if err != nil {
			l.t.Fatal(err)
		}
		options = append(options, iceberggo.WithPartitionSpec(&spec))
	}
	made, err := l.client.CreateTable(l.t.Context(), table.Identifier{"ns", name}, measures, options...)
	if err != nil {
		l.t.Fatal(err)
	}
	return made
}

// rows reads measures from JSON.
func (l *lake) rows(lines ...string) arrow.Table {
	l.t.Helper()
	made, err := array.TableFromJSON(memory.DefaultAllocator, measuresArrow, []string{"[" + strings.Join(lines, ",") + "]"})
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(made.Release)
	return made
}

// row is a measure whose value is its id and a half.
func row(id int, kind, day string) string {
	return fmt.Sprintf(`{"id":%d,"kind":%q,"value":%d.5,"day":%q}`, id, kind, id, day)
}

// append adds a file, or one for each partition, and returns the table with it.
func (l *lake) append(to *table.Table, lines ...string) *table.Table {
	l.t.Helper()
	made, err := to.AppendTable(l.t.Context(), l.rows(lines...), 1024, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return made
}

// result is what the operations answer.
type result struct {
	Status      string     `json:"status"`
	ID          string     `json:"plan-id"`
	Tasks       []scanTask `json:"file-scan-tasks"`
	PlanTasks   []string   `json:"plan-tasks"`
	DeleteFiles []struct {
		Content     string `json:"content"`
		Path        string `json:"file-path"`
		Format      string `json:"file-format"`
		EqualityIDs []int  `json:"equality-ids"`
		Referenced  string `json:"referenced-data-file"`
	} `json:"delete-files"`
}

type scanTask struct {
	File     map[string]json.RawMessage `json:"data-file"`
	Deletes  []int                      `json:"delete-file-references"`
	Residual json.RawMessage            `json:"residual-filter"`
}

func (t scanTask) path() string {
	var p string
	_ = json.Unmarshal(t.File["file-path"], &p)
	return p
}

// read decodes an answer that must be a 200.
func (l *lake) read(a answer) result {
	l.t.Helper()
	l.must(200, a)
	var r result
	if err := json.Unmarshal([]byte(a.text), &r); err != nil {
		l.t.Fatal(err)
	}
	return r
}

// plan plans a scan.
func (l *lake) plan(name, body string, headers ...string) result {
	l.t.Helper()
	r := l.read(l.do(http.MethodPost, tablePath(name)+"/plan", body, headers...))
	if r.Status != "completed" || r.ID == "" || r.Tasks == nil {
		l.t.Fatalf("%s: %+v", body, r)
	}
	return r
}

// all fetches the tasks behind a plan's too.
func (l *lake) all(name string, r result) []scanTask {
	l.t.Helper()
	found := r.Tasks
	for _, task := range r.PlanTasks {
		more := l.read(l.do(http.MethodPost, tablePath(name)+"/tasks", jsonOf(map[string]string{"plan-task": task})))
		if more.PlanTasks != nil {
			l.t.Fatalf("a task of tasks: %v", more.PlanTasks)
		}
		found = append(found, more.Tasks...)
	}
	return found
}

// files are the ids of the first rows of a plan's files, by their lower bounds.
func (l *lake) files(name, body string) []int {
	l.t.Helper()
	ids := make([]int, 0)
	for _, task := range l.all(name, l.plan(name, body)) {
		ids = append(ids, firstID(l.t, task))
	}
	slices.Sort(ids)
	return ids
}

// firstID is the least id of a file, as its statistics say.
func firstID(t *testing.T, task scanTask) int {
	t.Helper()
	var bounds struct {
		Keys   []int    `json:"keys"`
		Values []string `json:"values"`
	}
	if err := json.Unmarshal(task.File["lower-bounds"], &bounds); err != nil || !slices.Equal(bounds.Keys, []int{1}) {
		t.Fatalf("lower bounds: %s", task.File["lower-bounds"])
	}
	var id int
	if _, err := fmt.Sscanf(bounds.Values[0], "%02X", &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func filtered(filter string) string { return `{"stats-fields":["id"],"filter":` + filter + `}` }

// A filter of each type leaves out the files that cannot match, and no other.
func TestPlanLeavesOutFiles(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.table("t", false, nil)
	made = l.append(made, row(1, "a", "2024-01-01"), row(2, "ab", "2024-01-31"))
	made = l.append(made, row(3, "b", "2024-02-01"), row(4, "bb", "2024-02-02"))
	l.append(made, `{"id":5}`, `{"id":6}`)
	for filter, want := range map[string][]int{
		`true`:                                                       {1, 3, 5},
		`false`:                                                      {},
		`{"type":"true"}`:                                            {1, 3, 5},
		`{"type":"false"}`:                                           {},
		`{"type":"is-null","term":"kind"}`:                           {5},
		`{"type":"not-null","term":"kind"}`:                          {1, 3},
		`{"type":"is-nan","term":"value"}`:                           {1, 3},
		`{"type":"not-nan","term":"value"}`:                          {1, 3, 5},
		`{"type":"lt","term":"id","value":3}`:                        {1},
		`{"type":"lt-eq","term":"id","value":3}`:                     {1, 3},
		`{"type":"gt","term":"id","value":4}`:                        {5},
		`{"type":"gt-eq","term":"id","value":4}`:                     {3, 5},
		`{"type":"eq","term":"value","value":2.5}`:                   {1},
		`{"type":"not-eq","term":"id","value":3}`:                    {1, 3, 5},
		`{"type":"in","term":"id","values":[2,6]}`:                   {1, 5},
		`{"type":"not-in","term":"id","values":[2,6]}`:               {1, 3, 5},
		`{"type":"starts-with","term":"kind","value":"b"}`:           {3},
		`{"type":"not-starts-with","term":"kind","value":"b"}`:       {1, 3, 5},
		`{"type":"eq","term":"day","value":"2024-01-31"}`:            {1},
		`{"type":"not","child":{"type":"lt","term":"id","value":5}}`: {5},
		`{"type":"and","left":{"type":"gt","term":"id","value":2},"right":{"type":"lt","term":"id","value":5}}`: {3},
		`{"type":"or","left":{"type":"lt","term":"id","value":2},"right":{"type":"gt","term":"id","value":5}}`:  {1, 5},
		`{"type":"gt","left":{"type":"reference","name":"id"},"right":4}`:                                       {5},
		`{"type":"gt","left":3,"right":{"type":"reference","id":1}}`:                                            {1},
		// what is not understood leaves nothing out, on whichever side of a "not"
		`{"type":"eq","term":{"type":"transform","transform":"bucket[4]","term":"id"},"value":9}`:                                                                         {1, 3, 5},
		`{"type":"not","child":{"type":"eq","term":{"type":"transform","transform":"bucket[4]","term":"id"},"value":9}}`:                                                  {1, 3, 5},
		`{"type":"and","left":{"type":"gt","term":"id","value":4},"right":{"type":"eq","term":{"type":"transform","transform":"day","term":"day"},"value":"1999-01-01"}}`: {5},
		`{"type":"or","left":{"type":"gt","term":"id","value":4},"right":{"type":"eq","left":{"type":"apply","function":"f","arguments":[]},"right":1}}`:                  {1, 3, 5},
	} {
		if got := l.files("t", filtered(filter)); !slices.Equal(got, want) {
			t.Errorf("%s leaves %v, want %v", filter, got, want)
		}
	}
}

// What a partition decides is not left to do; what else is comes back.
func TestResiduals(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	l.append(l.table("t", true, nil),
		row(1, "a", "2024-01-01"), row(2, "b", "2024-02-01"), row(7, "b", "2024-02-03"), `{"id":3,"day":"2024-03-01"}`, `{"id":4,"kind":"a"}`)
	large := `{"type":"lt","term":"id","value":9007199254740993}`
	opaque := `{"type":"eq","term":{"type":"transform","transform":"bucket[4]","term":"id"},"value":9}`
	for filter, want := range map[string]map[string]string{
		``: {`["a",648]`: `true`, `["b",649]`: `true`, `[null,650]`: `true`, `["a",null]`: `true`},
		`{"type":"eq","term":"kind","value":"a"}`: {`["a",648]`: `true`, `["a",null]`: `true`},
		`{"type":"and","left":{"type":"eq","term":"kind","value":"b"},"right":{"type":"gt","term":"value","value":1.0}}`: {
			`["b",649]`: `{"type":"gt","term":"value","value":1}`,
		},
		`{"type":"is-null","term":"kind"}`:                   {`[null,650]`: `true`},
		`{"type":"gt-eq","term":"day","value":"2024-02-01"}`: {`["b",649]`: `true`, `[null,650]`: `true`},
		`{"type":"gt-eq","term":"day","value":"2024-02-02"}`: {`["b",649]`: `{"type":"gt-eq","term":"day","value":"2024-02-02"}`, `[null,650]`: `true`},
		`{"type":"gt","term":"value","value":8.0}`:           {},
		`{"type":"lt","term":"id","value":9007199254740993}`: {`["a",648]`: large, `["b",649]`: large, `[null,650]`: large, `["a",null]`: large},
		opaque: {`["a",648]`: opaque, `["b",649]`: opaque, `[null,650]`: opaque, `["a",null]`: opaque},
	} {
		body := `{}`
		if filter != "" {
			body = `{"filter":` + filter + `}`
		}
		got := map[string]string{}
		for _, task := range l.plan("t", body).Tasks {
			got[string(task.File["partition"])] = string(task.Residual)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s leaves %v, want %v", filter, got, want)
		}
	}
}

// A data file has what the document wants, and statistics if asked for.
func TestPlannedFile(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.append(l.table("t", false, iceberg.Properties{"format-version": "3"}), row(1, "a", "2024-01-01"), row(258, "b", "2024-01-02"))
	file := l.plan("t", `{}`).Tasks[0].File
	for member, want := range map[string]string{
		"content": `"data"`, "file-format": `"parquet"`, "spec-id": `0`, "partition": `[]`, "record-count": `2`, "first-row-id": `0`,
	} {
		if string(file[member]) != want {
			t.Errorf("%s is %s, want %s", member, file[member], want)
		}
	}
	if location, _ := strings.CutPrefix(made.Location(), "file:"); !strings.Contains(string(file["file-path"]), location) {
		t.Errorf("file-path is %s", file["file-path"])
	}
	for _, statistic := range []string{"column-sizes", "value-counts", "null-value-counts", "nan-value-counts", "lower-bounds", "upper-bounds"} {
		if file[statistic] != nil {
			t.Errorf("nobody asked for %s: %s", statistic, file[statistic])
		}
	}
	file = l.plan("t", `{"stats-fields":["id","kind"]}`).Tasks[0].File
	for member, want := range map[string]string{
		"value-counts": `{"keys":[1,2],"values":[2,2]}`, "null-value-counts": `{"keys":[1,2],"values":[0,0]}`,
		"lower-bounds": `{"keys":[1,2],"values":["0100000000000000","61"]}`,
		"upper-bounds": `{"keys":[1,2],"values":["0201000000000000","62"]}`,
	} {
		if string(file[member]) != want {
			t.Errorf("%s is %s, want %s", member, file[member], want)
		}
	}
}

func TestPlanOfAnEmptyTable(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	l.table("t", true, nil)
	for _, body := range []string{``, `{}`, `{"filter":{"type":"eq","term":"id","value":1},"select":["id"],"use-snapshot-schema":true}`} {
		r := l.plan("t", body)
		if len(r.Tasks)+len(r.PlanTasks)+len(r.DeleteFiles) != 0 {
			t.Errorf("%s: %+v", body, r)
		}
		again := l.read(l.do(http.MethodGet, tablePath("t")+"/plan/"+r.ID, ""))
		if again.Status != "completed" || len(again.Tasks) != 0 {
			t.Errorf("fetched: %+v", again)
		}
		l.must(204, l.do(http.MethodDelete, tablePath("t")+"/plan/"+r.ID, ""))
	}
}

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

// fill adds n files that are not there: planning never opens them.
func (l *lake) fill(to *table.Table, n int) *table.Table {
	l.t.Helper()
	files := make([]iceberg.DataFile, n)
	for i := range files {
		b, err := iceberg.NewDataFileBuilder(*iceberg.UnpartitionedSpec, iceberg.EntryContentData,
			fmt.Sprintf("%s/data/%06d.parquet", to.Location(), i), iceberg.ParquetFile, nil, nil, nil, 1, 100)
		if err != nil {
			l.t.Fatal(err)
		}
		files[i] = b.Build()
	}
	change := to.NewTransaction()
	if err := change.AddDataFiles(l.t.Context(), files, nil); err != nil {
		l.t.Fatal(err)
	}
	made, err := change.Commit(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return made
}

// A large plan comes in parts, each file once, whatever is committed meanwhile
// and whoever is asked for the parts.
func TestPlanInParts(t *testing.T) {
	t.Parallel()
	config := complete(t, catalog.Config{}, dsns["sqlite"](t))
	l := newLake(t, listen(t, config, ""))
	const files = 4100
	made := l.fill(l.table("t", false, nil), files)
	r := l.plan("t", `{}`)
	if len(r.Tasks) != 2000 || len(r.PlanTasks) != 2 {
		t.Fatalf("%d files, %d tasks", len(r.Tasks), len(r.PlanTasks))
	}
	l.append(made, row(1, "a", "2024-01-01"))
	other := &lake{server: listen(t, config, ""), t: t}
	found := map[string]bool{}
	for _, task := range other.all("t", r) {
		found[task.path()] = true
	}
	if len(found) != files {
		t.Errorf("%d files in all parts", len(found))
	}
	again := other.read(other.do(http.MethodGet, tablePath("t")+"/plan/"+r.ID, ""))
	if len(again.Tasks) != 2000 || !slices.Equal(again.PlanTasks, r.PlanTasks) {
		t.Errorf("fetched again: %d files, %d tasks", len(again.Tasks), len(again.PlanTasks))
	}
}

// What is not known any more, or never was, is told apart from a table that is
// not there.
func TestUnknownPlans(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.fill(l.table("t", false, nil), 2001)
	r := l.plan("t", `{}`)
	l.table("other", false, nil)
	noise := rand.New(rand.NewPCG(1, 2))
	value := make([]byte, 8<<10)
	for i := range value {
		value[i] = 'a' + byte(noise.IntN(26))
	}
	long := l.plan("t", `{"filter":{"type":"not-eq","term":"kind","value":"`+string(value)+`"}}`)
	expire := l.append(made, row(1, "a", "2024-01-01")).NewTransaction()
	if err := expire.ExpireSnapshots(table.WithOlderThan(0), table.WithRetainLast(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := expire.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	task := func(text string) string { return jsonOf(map[string]string{"plan-task": text}) }
	for _, c := range []struct{ method, path, body, want string }{
		{http.MethodGet, tablePath("t") + "/plan/x", "", "404 NoSuchPlanIdException: Plan does not exist: it was not made by this server"},
		{http.MethodDelete, tablePath("t") + "/plan/x", "", "404 NoSuchPlanIdException"},
		{http.MethodPost, tablePath("t") + "/tasks", task("x"), "404 NoSuchPlanTaskException: Plan task does not exist: it was not made"},
		{http.MethodGet, tablePath("t") + "/plan/" + r.ID, "", "404 NoSuchPlanIdException"},
		{http.MethodGet, tablePath("t") + "/plan/" + long.ID, "", "404 NoSuchPlanIdException: Plan does not exist: its filter was too long"},
		{http.MethodPost, tablePath("t") + "/tasks", task(r.PlanTasks[0]), "404 NoSuchPlanTaskException"},
		{http.MethodGet, tablePath("other") + "/plan/" + r.ID, "", "404 NoSuchPlanIdException"},
		{http.MethodDelete, tablePath("other") + "/plan/" + r.ID, "", "404 NoSuchPlanIdException: Plan does not exist: it is of another table"},
		{http.MethodPost, tablePath("other") + "/tasks", task(r.PlanTasks[0]), "404 NoSuchPlanTaskException"},
		{http.MethodDelete, tablePath("t") + "/plan/" + r.ID, "", "204 "},
		{http.MethodGet, tablePath("none") + "/plan/x", "", "404 NoSuchTableException"},
		{http.MethodDelete, tablePath("none") + "/plan/x", "", "404 NoSuchTableException"},
		{http.MethodPost, tablePath("none") + "/plan", "{}", "404 NoSuchTableException"},
		{http.MethodPost, tablePath("none") + "/tasks", task("x"), "404 NoSuchTableException"},
	} {
		a := l.do(c.method, c.path, c.body)
		if got := fmt.Sprint(a.status, " ", a.message()); !strings.HasPrefix(got, c.want) && !(a.status == 204 && c.want == "204 ") {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
}

// One key is one plan: a retry gets the first answer, though the table has moved
// on, and the record of it is small.
func TestPlansAreReplayed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dsn  string
		mode runtime.Mode
	}{
		"sqlite": {dsns["sqlite"](t), runtime.ModeTransactional}, "postgres": {dsns["postgres"](t), runtime.ModeTransactional},
		"two-phase": {dsns["sqlite"](t), runtime.ModeTwoPhase},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLake(t, listen(t, complete(t, catalog.Config{Credentials: &vendor{}}, c.dsn), c.mode))
			made := l.fill(l.table("t", false, nil), 2001)
			delegation := []string{"X-Iceberg-Access-Delegation", "vended-credentials"}
			planKey, tasksKey, cancelKey := append(newKey(), delegation...), newKey(), newKey()
			body := `{"filter":{"type":"not-null","term":"id"}}`
			first := l.plan("t", body, planKey...)
			task := jsonOf(map[string]string{"plan-task": first.PlanTasks[0]})
			send := map[string]func() answer{
				"plan":   func() answer { return l.do(http.MethodPost, tablePath("t")+"/plan", body, planKey...) },
				"tasks":  func() answer { return l.do(http.MethodPost, tablePath("t")+"/tasks", task, tasksKey...) },
				"cancel": func() answer { return l.do(http.MethodDelete, tablePath("t")+"/plan/"+first.ID, "", cancelKey...) },
			}
			before := map[string]answer{}
			for name, request := range send {
				before[name] = request()
			}
			l.append(made, row(1, "a", "2024-01-01"))
			for name, request := range send {
				after := request()
				if after.status != before[name].status || withoutSecret(after) != withoutSecret(before[name]) || after.header.Get("Idempotency-Replayed") != "true" {
					t.Errorf("%s: first %d %.300s\nagain %d %v %.300s", name, before[name].status, before[name].text, after.status, after.header, after.text)
				}
			}
			if one, two := secretOf(before["plan"]), secretOf(send["plan"]()); one == "" || two == "" || one == two {
				t.Errorf("credentials %q, then %q", one, two)
			}
			other := l.do(http.MethodPost, tablePath("t")+"/plan", `{}`, planKey...)
			if other.status != 422 {
				t.Errorf("another request with the key: %d %s", other.status, other.text)
			}
			if c.mode == runtime.ModeTransactional {
				l.smallRecords()
			}
		})
	}
}

// withoutSecret is an answer but for the credentials, which are fresh each time.
func withoutSecret(a answer) string { return strings.Replace(a.text, secretOf(a), "", 1) }

// smallRecords fails the test if a record keeps an answer.
func (l *lake) smallRecords() {
	l.t.Helper()
	var sizes []int
	if err := l.db.NewRaw("SELECT LENGTH(response_summary) FROM iceberg_idempotency_key_meta").Scan(l.t.Context(), &sizes); err != nil {
		l.t.Fatal(err)
	}
	if len(sizes) < 3 || slices.Max(sizes) > 1000 {
		l.t.Errorf("records of %v bytes", sizes)
	}
}
