package catalog_test

import (
	"encoding/json"
	"fmt"
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
