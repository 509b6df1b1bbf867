package planning_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/planning"
)

// schema has a column of each type that there is.
var schema = iceberg.NewSchema(0,
	iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64, Required: true},
	iceberg.NestedField{ID: 2, Name: "i", Type: iceberg.PrimitiveTypes.Int32},
	iceberg.NestedField{ID: 3, Name: "b", Type: iceberg.PrimitiveTypes.Bool},
	iceberg.NestedField{ID: 4, Name: "f", Type: iceberg.PrimitiveTypes.Float32},
	iceberg.NestedField{ID: 5, Name: "d", Type: iceberg.PrimitiveTypes.Float64},
	iceberg.NestedField{ID: 6, Name: "dec", Type: iceberg.DecimalTypeOf(9, 2)},
	iceberg.NestedField{ID: 7, Name: "date", Type: iceberg.PrimitiveTypes.Date},
	iceberg.NestedField{ID: 8, Name: "time", Type: iceberg.PrimitiveTypes.Time},
	iceberg.NestedField{ID: 9, Name: "ts", Type: iceberg.PrimitiveTypes.Timestamp},
	iceberg.NestedField{ID: 10, Name: "tstz", Type: iceberg.PrimitiveTypes.TimestampTz},
	iceberg.NestedField{ID: 11, Name: "ns", Type: iceberg.TimestampNsType{}},
	iceberg.NestedField{ID: 12, Name: "nstz", Type: iceberg.TimestampTzNsType{}},
	iceberg.NestedField{ID: 13, Name: "s", Type: iceberg.PrimitiveTypes.String},
	iceberg.NestedField{ID: 14, Name: "u", Type: iceberg.PrimitiveTypes.UUID},
	iceberg.NestedField{ID: 15, Name: "fix", Type: iceberg.FixedTypeOf(2)},
	iceberg.NestedField{ID: 16, Name: "bin", Type: iceberg.PrimitiveTypes.Binary},
	iceberg.NestedField{ID: 17, Name: "st", Type: &iceberg.StructType{FieldList: []iceberg.NestedField{
		{ID: 18, Name: "x", Type: iceberg.PrimitiveTypes.Int32},
	}}},
	iceberg.NestedField{ID: 19, Name: "list", Type: &iceberg.ListType{ElementID: 20, Element: iceberg.PrimitiveTypes.String}},
	iceberg.NestedField{ID: 21, Name: "var", Type: iceberg.VariantType{}},
	iceberg.NestedField{ID: 22, Name: "Twin", Type: iceberg.PrimitiveTypes.Int32},
	iceberg.NestedField{ID: 23, Name: "tWIN", Type: iceberg.PrimitiveTypes.Int32},
)

// empty is a table that has the schema, and no snapshot.
func empty(t testing.TB) table.Metadata {
	t.Helper()
	m, err := table.NewMetadata(schema, iceberg.UnpartitionedSpec, table.UnsortedSortOrder, "file:/t", iceberg.Properties{"format-version": "3"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// resolve holds a request against the table.
func resolve(m table.Metadata, body string) (*planning.Scan, error) {
	r, err := planning.ParseRequest([]byte(body))
	if err != nil {
		return nil, err
	}
	return r.Resolve(m)
}

func leaf(kind, column, rest string) string {
	return fmt.Sprintf(`{"type":%q,"term":%q%s}`, kind, column, rest)
}

// understood are filters of every type, on columns of every type.
var understood = []string{
	`true`, `false`, `{"type":"true"}`, `{"type":"false"}`, `{"type":"literal","value":true}`,
	leaf("is-null", "i", ""), leaf("not-null", "i", ""), leaf("is-nan", "d", ""), leaf("not-nan", "f", ""),
	leaf("is-null", "st", ""), leaf("not-null", "list", ""), leaf("is-null", "var", ""), leaf("is-null", "st.x", ""),
	leaf("lt", "id", `,"value":5`), leaf("lt-eq", "i", `,"value":5`), leaf("gt", "i", `,"value":99999999999`),
	leaf("gt-eq", "id", `,"value":-99999999999999999999`), leaf("eq", "i", `,"value":"7"`), leaf("not-eq", "b", `,"value":false`),
	leaf("eq", "f", `,"value":1.5`), leaf("lt", "d", `,"value":1e10`), leaf("eq", "st.x", `,"value":1`),
	leaf("eq", "dec", `,"value":"14.20"`), leaf("eq", "dec", `,"value":14.2`), leaf("lt", "dec", `,"value":1e3`),
	leaf("eq", "date", `,"value":"2022-08-14"`), leaf("gt", "date", `,"value":19218`), leaf("eq", "time", `,"value":"22:31:08.123456"`),
	leaf("lt", "ts", `,"value":"2022-08-14T10:11:12.123456"`), leaf("lt", "tstz", `,"value":"2022-08-14T10:11:12.123456+00:00"`),
	leaf("gt", "ns", `,"value":"2022-08-14T10:11:12.123456789"`), leaf("gt", "nstz", `,"value":"2022-08-14T10:11:12.123456789+00:00"`),
	leaf("eq", "s", `,"value":""`), leaf("starts-with", "s", `,"value":"ab"`), leaf("not-starts-with", "s", `,"value":"ab"`),
	leaf("eq", "u", `,"value":"f79c3e09-677c-4bbd-a479-3f349cb785e7"`), leaf("eq", "fix", `,"value":"00FF"`), leaf("eq", "bin", `,"value":"0a"`),
	leaf("in", "i", `,"values":[1,2,99999999999]`), leaf("not-in", "s", `,"values":["a","b"]`), leaf("in", "id", `,"values":[]`),
	`{"type":"and","left":` + leaf("is-null", "i", "") + `,"right":{"type":"not","child":` + leaf("eq", "s", `,"value":"x"`) + `}}`,
	`{"type":"or","left":true,"right":false}`,
	// the document's newer way to write operands
	`{"type":"is-null","child":{"type":"reference","name":"i"}}`, `{"type":"not-null","child":{"type":"reference","id":2}}`,
	`{"type":"eq","left":{"type":"reference","name":"s"},"right":"i"}`,
	`{"type":"lt","left":5,"right":{"type":"reference","id":1}}`,
	`{"type":"eq","left":{"type":"reference","name":"i"},"right":{"type":"literal","value":5,"data-type":"long"}}`,
	`{"type":"eq","left":{"type":"reference","name":"ts"},"right":{"type":"literal","value":"2022-08-14","data-type":"date"}}`,
	`{"type":"in","child":{"type":"reference","name":"i"},"values":{"type":"literals","data-type":"int","values":[1,2]}}`,
	`{"type":"lt","left":{"type":"reference","name":"i"},"right":{"type":"reference","name":"id"}}`,
	`{"type":"starts-with","left":"abc","right":{"type":"reference","name":"s"}}`,
	// transforms and functions
	`{"type":"eq","term":{"type":"transform","transform":"bucket[16]","term":"id"},"value":3}`,
	`{"type":"gt","term":{"type":"transform","transform":"identity","term":"id"},"value":3}`,
	`{"type":"in","term":{"type":"reference","term":"id"},"values":[3]}`,
	`{"type":"not-null","child":{"type":"apply","function":"upper","arguments":[{"type":"reference","name":"s"}]}}`,
}

func TestFiltersThatAreUnderstood(t *testing.T) {
	t.Parallel()
	m := empty(t)
	for _, filter := range understood {
		scan, err := resolve(m, `{"filter":`+filter+`}`)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		if string(scan.Filter) != filter || scan.Snapshot != nil {
			t.Errorf("%s became %+v", filter, scan)
		}
		plan, err := scan.Plan(t.Context(), m, nil)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		if first, err := plan.First(); err != nil || len(*first.FileScanTasks) != 0 || first.PlanTasks != nil {
			t.Errorf("%s: %+v %v", filter, first, err)
		}
	}
}

// The message names the place and what is wrong with it.
func TestFiltersThatAreRefused(t *testing.T) {
	t.Parallel()
	m := empty(t)
	deep := strings.Repeat(`{"type":"not","child":`, 1002) + "true" + strings.Repeat("}", 1002)
	for filter, want := range map[string]string{
		`null`:                                      "/filter: must not be null",
		`1`:                                         "/filter: must be a predicate",
		`{}`:                                        `/filter: is of the unknown type ""`,
		`{"type":"between","term":"i"}`:             `/filter: is of the unknown type "between"`,
		`{"type":"not"}`:                            "/filter/child: must be a predicate",
		`{"type":"and","left":true}`:                "/filter/right: must be a predicate",
		`{"type":"literal","value":null}`:           "/filter: must have a boolean value",
		`{"type":"is-null"}`:                        "/filter/child: is required",
		`{"type":"is-null","child":"i"}`:            "/filter/child: must refer to a column",
		`{"type":"is-null","term":5}`:               "/filter/term: must refer to a column",
		deep:                                        "/filter: is nested more than 1000 levels deep",
		leaf("is-null", "none", ""):                 `/filter/term: column "none" does not exist in schema 0`,
		leaf("is-null", "I", ""):                    `/filter/term: column "I" does not exist`,
		leaf("eq", "i", ""):                         "/filter: must have a value",
		leaf("eq", "i", `,"value":null`):            "null",
		leaf("eq", "i", `,"value":1.5`):             `/filter/value: column "i": 1.5 is no int`,
		leaf("eq", "i", `,"value":true`):            "true is no int",
		leaf("eq", "id", `,"value":"x"`):            `"x" is no long`,
		leaf("eq", "b", `,"value":1`):               "1 is no boolean",
		leaf("eq", "d", `,"value":"NaN"`):           `"NaN" is no double`,
		leaf("eq", "d", `,"value":1e999`):           "is no double",
		leaf("eq", "dec", `,"value":1.005`):         "1.005 does not fit decimal(9, 2) exactly",
		leaf("eq", "dec", `,"value":"12345678.90"`): "does not fit",
		leaf("eq", "dec", `,"value":1e999999999`):   "is no decimal",
		leaf("eq", "dec", `,"value":"1/3"`):         "is no decimal",
		leaf("eq", "date", `,"value":"14.8.2022"`):  `"14.8.2022" is no date`,
		leaf("lt", "ts", `,"value":"2022-08-14T10:11:12.1234567"`):               "more than the 6 fractional digits",
		leaf("lt", "ts", `,"value":"2022-08-14T10:11:12+00:00"`):                 "is no timestamp",
		leaf("lt", "ns", `,"value":"3000-08-14T10:11:12"`):                       "outside the range",
		leaf("eq", "s", `,"value":5`):                                            "5 is no string",
		leaf("starts-with", "i", `,"value":5`):                                   "/filter",
		leaf("eq", "u", `,"value":"x"`):                                          "is no uuid",
		leaf("eq", "fix", `,"value":"00"`):                                       "/filter/value",
		leaf("eq", "bin", `,"value":"zz"`):                                       "is not hexadecimal",
		leaf("in", "i", `,"value":1`):                                            "/filter/values: must be an array of literals",
		leaf("in", "i", `,"values":[1,null]`):                                    "null",
		leaf("eq", "i", `,"value":{"type":"list"}`):                              "not one of its type",
		`{"type":"eq","left":{"type":"sum"},"right":1}`:                          `/filter/left: is of the unknown type "sum"`,
		`{"type":"eq","left":{"type":"reference","id":99},"right":1}`:            "column 99 does not exist",
		`{"type":"eq","term":{"type":"transform","term":"z"},"value":1}`:         `column "z" does not exist`,
		`{"type":"is-null","child":{"type":"apply","function":"f"}}`:             "/filter/child/arguments: must be an array",
		`{"type":"and","left":true,"right":` + leaf("is-null", "none", "") + `}`: "/filter/right/term",
	} {
		_, err := resolve(m, `{"filter":`+filter+`}`)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200s: %v, want %s", filter, err, want)
		}
	}
}

func TestNamesInAnyCase(t *testing.T) {
	t.Parallel()
	m := empty(t)
	for body, want := range map[string]string{
		`{"case-sensitive":false,"select":["ID","ST.X","_POS"],"stats-fields":["Dec"],"filter":` + leaf("is-null", "I", "") + `}`: "",
		`{"case-sensitive":false,"filter":` + leaf("eq", "twin", `,"value":1`) + `}`:                                              `column "twin" is ambiguous`,
		`{"case-sensitive":false,"select":["none"]}`:                                                                              `/select: column "none" does not exist`,
		`{"case-sensitive":true,"filter":` + leaf("eq", "Twin", `,"value":1`) + `}`:                                               "",
		`{"select":["ID"]}`:                     `/select: column "ID" does not exist`,
		`{"select":["_row_id","_file","st"]}`:   "",
		`{"stats-fields":["id","_file"]}`:       `/stats-fields: column "_file" does not exist`,
		`{"min-rows-requested":-1}`:             "/min-rows-requested: must not be negative",
		`{"snapshot-id":1}`:                     "/snapshot-id: the table has no snapshot 1",
		`{"snapshot-id":1,"end-snapshot-id":1}`: "/snapshot-id: must not be given together",
		`{"start-snapshot-id":1}`:               "/end-snapshot-id: is required",
		`{"end-snapshot-id":1}`:                 "/start-snapshot-id: is required",
		`{"snapshot-id":"1"}`:                   "does not fit",
		``:                                      "",
		`{"snapshot-id":null,"select":null,"use-snapshot-schema":true}`: "",
	} {
		_, err := resolve(m, body)
		if want == "" && err != nil || want != "" && (!fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

// A token comes back as it was made, and nothing else is one.
func TestTokens(t *testing.T) {
	t.Parallel()
	snapshot := int64(5)
	scan := planning.Scan{Table: "uuid", Snapshot: &snapshot, Schema: 2, Filter: json.RawMessage(`{"type":"true"}`), Stats: []int{1, 3}}
	id := scan.ID()
	back, complete, ok := planning.OpenID(id)
	if !ok || !complete || fmt.Sprintf("%+v", *back) != strings.Replace(fmt.Sprintf("%+v", scan), fmt.Sprint(scan.Snapshot), fmt.Sprint(back.Snapshot), 1) {
		t.Errorf("%+v became %+v, %v %v", scan, back, complete, ok)
	}
	task := planning.Task{Scan: scan, From: 2, To: 4, Digest: 1<<64 - 1}
	read, ok := planning.OpenTask(task.String())
	if !ok || read.From != 2 || read.To != 4 || read.Digest != task.Digest || read.Table != "uuid" {
		t.Errorf("%+v", read)
	}
	if _, _, ok := planning.OpenID(task.String()); ok {
		t.Error("a task is no plan-id")
	}
	if _, ok := planning.OpenTask(id); ok {
		t.Error("a plan-id is no task")
	}
	for i := range id {
		for _, broken := range []string{id[:i], id[:i] + "-" + id[i+1:], id[:i] + "/" + id[i+1:]} {
			if _, _, ok := planning.OpenID(broken); ok && broken != id {
				t.Errorf("%s is taken for a plan-id", broken)
			}
		}
	}
	backwards := planning.Task{Scan: scan, From: 4, To: 2}
	if _, ok := planning.OpenTask(backwards.String()); ok {
		t.Error("a task that ends before it begins")
	}
}

// A plan-id stands in a path, whatever the filter.
func TestPlanIDsAreShort(t *testing.T) {
	t.Parallel()
	var values strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&values, ",%d", i*i*7919)
	}
	scan := planning.Scan{Table: "uuid", Filter: json.RawMessage(`{"type":"in","term":"id","values":[0` + values.String() + `]}`)}
	id := scan.ID()
	back, complete, ok := planning.OpenID(id)
	if len(id) > 4096 || !ok || complete || back.Table != "uuid" || back.Filter != nil {
		t.Errorf("%d bytes, %+v %v %v", len(id), back, complete, ok)
	}
	task := planning.Task{Scan: scan, To: 1}
	if read, ok := planning.OpenTask(task.String()); !ok || string(read.Filter) != string(scan.Filter) {
		t.Error("a task keeps its filter")
	}
}
