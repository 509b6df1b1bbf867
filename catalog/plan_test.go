package catalog_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog"
)

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
		// an integer that no value of the column can be
		`{"type":"lt","term":"id","value":9223372036854775808}`:      {1, 3, 5},
		`{"type":"gt","term":"id","value":9223372036854775808}`:      {},
		`{"type":"gt-eq","term":"id","value":-9223372036854775809}`:  {1, 3, 5},
		`{"type":"not-eq","term":"id","value":-9223372036854775809}`: {1, 3, 5},
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

// A plan has paths as they are, without escapes that only HTML needs.
func TestPlannedPathsAreNotEscaped(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	l.must(200, l.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"t","location":"`+l.warehouse+`/a&b","schema":`+jsonOf(measures)+`}`))
	made, err := l.client.LoadTable(t.Context(), table.Identifier{"ns", "t"})
	if err != nil {
		t.Fatal(err)
	}
	l.append(made, row(1, "a", "2024-01-01"))
	a := l.must(200, l.do(http.MethodPost, tablePath("t")+"/plan", `{}`))
	if !strings.Contains(a.text, "/a&b/data/") || strings.Contains(a.text, `\u0026`) {
		t.Error(a.text)
	}
}
