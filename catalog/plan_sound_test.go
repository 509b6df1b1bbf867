package catalog_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	iceberggo "github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog"
)

// measure is a row as the test judges it; nil stands for null.
type measure struct {
	id    int
	kind  *string
	value *float64
	day   *string
}

func (m measure) json() string {
	return jsonOf(map[string]any{"id": m.id, "kind": m.kind, "value": m.value, "day": m.day})
}

// predicate is a filter and the rows of which it is true, by SQL's logic: nil is
// neither true nor false.
type predicate struct {
	text string
	of   func(m measure) *bool
}

func truth(known bool) *bool { return &known }

func drawMeasure(t *rapid.T, id int) measure {
	m := measure{id: id}
	if kind := rapid.SampledFrom([]string{"", "a", "ab", "b", "ß"}).Draw(t, "kind"); kind != "" {
		m.kind = &kind
	}
	if value := rapid.IntRange(-3, 4).Draw(t, "value"); value < 4 {
		f := float64(value) / 2
		m.value = &f
	}
	if day := rapid.SampledFrom([]string{"", "1969-12-31", "2023-12-31", "2024-01-01", "2024-01-31", "2024-02-29"}).Draw(t, "day"); day != "" {
		m.day = &day
	}
	return m
}

// compared draws a predicate about a column of which order is an order.
func compared[T any](t *rapid.T, column string, literal T, of func(m measure) *T, order func(a, b T) int) predicate {
	kind := rapid.SampledFrom([]string{"lt", "lt-eq", "gt", "gt-eq", "eq", "not-eq"}).Draw(t, "type")
	holds := map[string]func(int) bool{
		"lt": func(c int) bool { return c < 0 }, "lt-eq": func(c int) bool { return c <= 0 }, "gt": func(c int) bool { return c > 0 },
		"gt-eq": func(c int) bool { return c >= 0 }, "eq": func(c int) bool { return c == 0 }, "not-eq": func(c int) bool { return c != 0 },
	}[kind]
	return predicate{
		fmt.Sprintf(`{"type":%q,"term":%q,"value":%s}`, kind, column, jsonOf(literal)),
		func(m measure) *bool {
			value := of(m)
			if value == nil {
				return nil
			}
			return truth(holds(order(*value, literal)))
		},
	}
}

func drawLeaf(t *rapid.T) predicate {
	switch rapid.IntRange(0, 7).Draw(t, "leaf") {
	case 0:
		return compared(t, "id", rapid.IntRange(0, 30).Draw(t, "id"), func(m measure) *int { return &m.id }, func(a, b int) int { return a - b })
	case 1:
		literal := rapid.SampledFrom([]string{"", "a", "ab", "aß", "b"}).Draw(t, "text")
		return compared(t, "kind", literal, func(m measure) *string { return m.kind }, strings.Compare)
	case 2:
		literal := float64(rapid.IntRange(-8, 8).Draw(t, "quarters")) / 4
		return compared(t, "value", literal, func(m measure) *float64 { return m.value }, cmp.Compare[float64])
	case 3:
		literal := rapid.SampledFrom([]string{"1969-12-31", "1970-01-01", "2024-01-01", "2024-01-15", "2024-02-29"}).Draw(t, "day")
		return compared(t, "day", literal, func(m measure) *string { return m.day }, strings.Compare)
	case 4:
		return predicate{`{"type":"is-null","term":"kind"}`, func(m measure) *bool { return truth(m.kind == nil) }}
	case 5:
		prefix := rapid.SampledFrom([]string{"a", "ab", "ß", "c"}).Draw(t, "prefix")
		starts := rapid.Bool().Draw(t, "starts")
		kind := map[bool]string{true: "starts-with", false: "not-starts-with"}[starts]
		return predicate{fmt.Sprintf(`{"type":%q,"term":"kind","value":%q}`, kind, prefix), func(m measure) *bool {
			if m.kind == nil {
				return nil
			}
			return truth(strings.HasPrefix(*m.kind, prefix) == starts)
		}}
	case 6:
		ids := rapid.SliceOfN(rapid.IntRange(0, 30), 0, 4).Draw(t, "ids")
		in := rapid.Bool().Draw(t, "in")
		kind := map[bool]string{true: "in", false: "not-in"}[in]
		return predicate{
			fmt.Sprintf(`{"type":%q,"term":"id","values":%s}`, kind, jsonOf(append([]int{}, ids...))),
			func(m measure) *bool { return truth(slices.Contains(ids, m.id) == in) },
		}
	}
	// a transform, by which nothing is pruned: it may be true of any rows
	return predicate{
		`{"type":"gt-eq","term":{"type":"transform","transform":"bucket[8]","term":"id"},"value":0}`,
		func(m measure) *bool { return truth(m.id%3 == 0) },
	}
}

func drawPredicate(t *rapid.T, depth int) predicate {
	switch join := rapid.IntRange(0, 3).Draw(t, "join"); {
	case depth == 0 || join == 0:
		return drawLeaf(t)
	case join == 1:
		child := drawPredicate(t, depth-1)
		return predicate{`{"type":"not","child":` + child.text + `}`, func(m measure) *bool {
			if known := child.of(m); known != nil {
				return truth(!*known)
			}
			return nil
		}}
	default:
		all := join == 2
		left, right := drawPredicate(t, depth-1), drawPredicate(t, depth-1)
		kind := map[bool]string{true: "and", false: "or"}[all]
		return predicate{fmt.Sprintf(`{"type":%q,"left":%s,"right":%s}`, kind, left.text, right.text), func(m measure) *bool {
			a, b := left.of(m), right.of(m)
			switch {
			case a != nil && *a != all:
				return a
			case b != nil && *b != all:
				return b
			case a == nil || b == nil:
				return nil
			}
			return truth(all)
		}}
	}
}

// Whatever the filter, the file of every row that it is true of is in the plan,
// and its residual does not give the row up.
func TestPlansAreSound(t *testing.T) {
	t.Parallel()
	for _, partitioned := range []bool{false, true} {
		t.Run(fmt.Sprintf("partitioned=%v", partitioned), func(t *testing.T) {
			t.Parallel()
			l := newLake(t, serve(t, catalog.Config{}))
			made := l.table("t", partitioned, nil)
			rows := rapid.Custom(func(t *rapid.T) []measure {
				var drawn []measure
				for id := range 30 {
					drawn = append(drawn, drawMeasure(t, id))
				}
				return drawn
			}).Example(7)
			for group := range slices.Chunk(rows, 5) {
				var lines []string
				for _, m := range group {
					lines = append(lines, m.json())
				}
				made = l.append(made, lines...)
			}
			where := l.whereabouts(made)
			rapid.Check(t, func(t *rapid.T) {
				filter := drawPredicate(t, 3)
				residuals := map[string]string{}
				for _, task := range l.plan("t", `{"filter":`+filter.text+`}`).Tasks {
					residuals[task.path()] = string(task.Residual)
				}
				for _, m := range rows {
					if holds := filter.of(m); holds == nil || !*holds {
						continue
					}
					residual, planned := residuals[where[m.id]]
					if !planned || residual == "false" {
						t.Fatalf("%s is true of %s, whose file is in the plan: %v, with the residual %q", filter.text, m.json(), planned, residual)
					}
				}
			})
		})
	}
}

// whereabouts says in which file each row is, by reading the files.
func (l *lake) whereabouts(of *table.Table) map[int]string {
	l.t.Helper()
	where := map[int]string{}
	tasks, err := of.Scan().PlanFiles(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	for _, task := range tasks {
		_, records, err := of.Scan(table.WithSelectedFields("id")).ReadTasks(l.t.Context(), []table.FileScanTask{task})
		if err != nil {
			l.t.Fatal(err)
		}
		for record, err := range records {
			if err != nil {
				l.t.Fatal(err)
			}
			for i := range int(record.NumRows()) {
				var id int
				if err := json.Unmarshal([]byte(record.Column(0).ValueStr(i)), &id); err != nil {
					l.t.Fatal(err)
				}
				where[id] = task.File.FilePath()
			}
			record.Release()
		}
	}
	return where
}

// every has a column of each type that a table can be partitioned by.
var every = iceberg.NewSchema(0,
	iceberg.NestedField{ID: 1, Name: "bool", Type: iceberg.PrimitiveTypes.Bool},
	iceberg.NestedField{ID: 2, Name: "int", Type: iceberg.PrimitiveTypes.Int32},
	iceberg.NestedField{ID: 3, Name: "long", Type: iceberg.PrimitiveTypes.Int64},
	iceberg.NestedField{ID: 4, Name: "float", Type: iceberg.PrimitiveTypes.Float32},
	iceberg.NestedField{ID: 5, Name: "double", Type: iceberg.PrimitiveTypes.Float64},
	iceberg.NestedField{ID: 6, Name: "decimal", Type: iceberg.DecimalTypeOf(9, 2)},
	iceberg.NestedField{ID: 7, Name: "date", Type: iceberg.PrimitiveTypes.Date},
	iceberg.NestedField{ID: 8, Name: "time", Type: iceberg.PrimitiveTypes.Time},
	iceberg.NestedField{ID: 9, Name: "ts", Type: iceberg.PrimitiveTypes.Timestamp},
	iceberg.NestedField{ID: 10, Name: "tstz", Type: iceberg.PrimitiveTypes.TimestampTz},
	iceberg.NestedField{ID: 11, Name: "text", Type: iceberg.PrimitiveTypes.String},
	iceberg.NestedField{ID: 12, Name: "uuid", Type: iceberg.PrimitiveTypes.UUID},
	iceberg.NestedField{ID: 13, Name: "binary", Type: iceberg.PrimitiveTypes.Binary})

// file adds a file with a partition of every column's value, by identity.
func (l *lake) file(values map[int]any) *table.Table {
	l.t.Helper()
	var options []iceberg.PartitionOption
	for _, field := range every.Fields() {
		options = append(options, iceberg.AddPartitionFieldByName(field.Name, field.Name+"_part", iceberg.IdentityTransform{}, every, nil))
	}
	spec, err := iceberg.NewPartitionSpecOpts(options...)
	if err != nil {
		l.t.Fatal(err)
	}
	made := l.partitioned(every, &spec)
	partition, logical := map[int]any{}, map[int]string{}
	metadata := made.Spec()
	for _, field := range metadata.Fields() {
		partition[field.FieldID] = values[field.SourceID()]
		if name := map[int]string{
			6: "decimal", 7: "date", 8: "time-micros", 9: "timestamp-micros", 10: "timestamp-micros", 12: "uuid",
		}[field.SourceID()]; name != "" {
			logical[field.FieldID] = name
		}
	}
	b, err := iceberg.NewDataFileBuilder(made.Spec(), iceberg.EntryContentData, made.Location()+"/data/x.parquet", iceberg.ParquetFile,
		partition, logical, map[int]int{}, 1, 100)
	if err != nil {
		l.t.Fatal(err)
	}
	change := made.NewTransaction()
	if err := change.AddDataFiles(l.t.Context(), []iceberg.DataFile{b.Build()}, nil); err != nil {
		l.t.Fatal(err)
	}
	if made, err = change.Commit(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	return made
}

// Partition values of every type are written as the specification has them.
func TestPlannedPartitions(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	amount, err := iceberg.StringLiteral("14.20").To(iceberg.DecimalTypeOf(9, 2))
	if err != nil {
		t.Fatal(err)
	}
	made := l.file(map[int]any{
		1: true, 2: int32(-7), 3: int64(math.MaxInt64), 4: float32(1.5), 5: 0.1, 6: amount.Any(), 7: iceberg.Date(19218),
		8: iceberg.Time(81068123456), 9: iceberg.Timestamp(1660471872123000), 10: iceberg.Timestamp(-1000000), 11: "ü \"",
		12: uuid.MustParse("f79c3e09-677c-4bbd-a479-3f349cb785e7"), 13: []byte{0, 0xff},
	})
	want := `[true,-7,9223372036854775807,1.5,0.1,"14.20","2022-08-14","22:31:08.123456","2022-08-14T10:11:12.123",` +
		`"1969-12-31T23:59:59+00:00","ü \"","f79c3e09-677c-4bbd-a479-3f349cb785e7","00FF"]`
	if got := string(l.plan("t", `{}`).Tasks[0].File["partition"]); got != want {
		t.Errorf("the partition is\n%s, want\n%s", got, want)
	}
	tasks, err := made.Scan(table.WithScanPlanningMode(table.ScanPlanningRemote)).PlanFiles(t.Context())
	if err != nil || len(tasks) != 1 {
		t.Fatal(tasks, err)
	}
	spec := made.Spec()
	if bytes := tasks[0].File.Partition()[spec.Field(12).FieldID]; !slices.Equal(bytes.([]byte), []byte{0, 0xff}) {
		t.Errorf("a client reads %v", bytes)
	}
}

// What JSON cannot hold and what is not there are errors, not plans.
func TestPlansThatCannotBe(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.file(map[int]any{5: math.NaN()})
	a := l.do(http.MethodPost, tablePath("t")+"/plan", `{}`)
	if a.status != 406 || !strings.HasPrefix(a.message(), "UnsupportedOperationException: Partition field double_part of ") {
		t.Errorf("%d %s", a.status, a.text)
	}
	if err := os.Remove(path(made.CurrentSnapshot().ManifestList)); err != nil {
		t.Fatal(err)
	}
	a = l.do(http.MethodPost, tablePath("t")+"/plan", `{}`)
	if a.status != 404 || !strings.HasPrefix(a.message(), "NotFoundException: A manifest of snapshot") {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// partitioned creates the table t of a schema and a spec.
func (l *lake) partitioned(schema *iceberg.Schema, spec *iceberg.PartitionSpec) *table.Table {
	l.t.Helper()
	made, err := l.client.CreateTable(l.t.Context(), table.Identifier{"ns", "t"}, schema, iceberggo.WithPartitionSpec(spec))
	if err != nil {
		l.t.Fatal(err)
	}
	return made
}
