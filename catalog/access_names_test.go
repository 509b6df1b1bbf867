package catalog_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog"
)

// However a name is written, the authorizer is asked about the one that is then
// touched, or nothing is touched.
func TestNoSecondReading(t *testing.T) {
	t.Parallel()
	const good, bad = `{"namespace":["good"],"name":"t"}`, `{"namespace":["bad"],"name":"t"}`
	change := func(id string) string {
		return `{"identifier":` + id + `,"requirements":[],"updates":[{"action":"set-properties","updates":{"x":"y"}}]}`
	}
	for label, c := range map[string]struct{ method, path, body string }{
		"twice":              {"POST", "/v1/namespaces", `{"namespace":["bad","new"],"namespace":["good","new"]}`},
		"twice, bad last":    {"POST", "/v1/namespaces", `{"namespace":["good","new"],"namespace":["bad","new"]}`},
		"twice, null last":   {"POST", "/v1/namespaces", `{"namespace":["bad","new"],"namespace":null}`},
		"escaped":            {"POST", "/v1/namespaces", `{"namespace":["good","new"],"\u006eamespace":["bad","new"]}`},
		"other case":         {"POST", "/v1/namespaces", `{"namespace":["good","new"],"NAMESPACE":["bad","new"]}`},
		"long s":             {"POST", "/v1/namespaces", `{"namespace":["good","new"],"name` + "\u017f" + `pace":["bad","new"]}`},
		"source twice":       {"POST", "/v1/tables/rename", `{"source":` + good + `,"source":` + bad + `,"destination":{"namespace":["good"],"name":"n"}}`},
		"source other case":  {"POST", "/v1/tables/rename", `{"source":` + good + `,"Source":` + bad + `,"destination":{"namespace":["good"],"name":"n"}}`},
		"source, long s":     {"POST", "/v1/tables/rename", `{"source":` + good + `,"` + "\u017f" + `ource":` + bad + `,"destination":{"namespace":["good"],"name":"n"}}`},
		"destination twice":  {"POST", "/v1/tables/rename", `{"source":` + good + `,"destination":{"namespace":["good"],"name":"n"},"destination":{"namespace":["bad"],"name":"n"}}`},
		"name twice":         {"POST", "/v1/tables/rename", `{"source":` + good + `,"destination":{"namespace":["good"],"name":"n","namespace":["bad"]}}`},
		"changes twice":      {"POST", "/v1/transactions/commit", `{"table-changes":[` + change(good) + `],"table-changes":[` + change(bad) + `]}`},
		"changes left over":  {"POST", "/v1/transactions/commit", `{"table-changes":[` + change(bad) + `],"table-changes":[` + strings.Replace(change(good), `"identifier":`+good+`,`, "", 1) + `]}`},
		"identifier twice":   {"POST", "/v1/transactions/commit", `{"table-changes":[` + strings.Replace(change(good), `"requirements"`, `"identifier":`+bad+`,"requirements"`, 1) + `]}`},
		"in path and body":   {"POST", "/v1/namespaces/good/tables/t", change(bad)},
		"slash in the path":  {"POST", "/v1/namespaces/good/tables/t%2F..%2F..%2Fbad", setProperty("x", "y")},
		"separators at once": {"POST", "/v1/namespaces/good%1F..%2Fbad/properties", `{"updates":{"x":"y"}}`},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			config := complete(t, catalog.Config{}, dsns["sqlite"](t))
			setUp, onlyGood := judged(t, &judge{allow: everything}, config), &judge{allow: func(a catalog.Access) (bool, error) {
				return len(a.Namespace) > 0 && a.Namespace[0] == "good", nil
			}}
			for _, name := range []string{"good", "bad"} {
				send(setUp, http.MethodPost, "/v1/namespaces", `{"namespace":["`+name+`"]}`)
				if w := send(setUp, http.MethodPost, "/v1/namespaces/"+name+"/tables", `{"name":"t","schema":`+idSchema+`}`); w.Code != 200 {
					t.Fatal(w.Body)
				}
			}
			state := func() (all string) {
				for _, path := range []string{
					"/v1/namespaces/bad", "/v1/namespaces?parent=bad", "/v1/namespaces/bad/tables", "/v1/namespaces/bad/tables/t",
				} {
					all += send(setUp, http.MethodGet, path, "").Body.String()
				}
				return all
			}
			before := state()
			w := send(judged(t, onlyGood, config), c.method, c.path, c.body)
			if after := state(); after != before {
				t.Errorf("%d %s: what was bad changed\n%s\n%s", w.Code, w.Body, before, after)
			}
			if w.Code >= 500 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// What namespace a path or a body may name, the authorizer is asked about the one
// that the handler then looks for; see the 404 that it answers.
func FuzzAccesses(f *testing.F) {
	f.Add("a%1Fb", "o+%2F", `{"namespace":["a","b"]}`, "%1F")
	f.Add("a.b%2Ec", "x", `{"namespace":["a"],"namespace":["b.c"]}`, "%2E")
	f.Add("%", "%zz", `{`, "")
	f.Add("a%1fb.c", "é", `{"name\u017fpace":["a"],"namespace":[]}`, "%2E")
	config := complete(f, catalog.Config{}, dsns["sqlite"](f))
	f.Fuzz(func(t *testing.T, segment, table, body, separator string) {
		config.Separator = separator
		if _, err := catalog.New(config); err != nil {
			return
		}
		oneSegment := strings.NewReplacer("/", "", "?", "")
		segment, table = oneSegment.Replace(segment), oneSegment.Replace(table)
		for _, target := range []string{"/v1/namespaces/" + segment + "/tables/" + table, "/v1/namespaces/" + segment + "/views/" + table} {
			j := &judge{allow: everything}
			w := send(judged(t, j, config), http.MethodGet, target, "")
			if w.Code == http.StatusNotFound && (len(j.asked) != 1 || !strings.HasSuffix(answered(t, w).Error.Message, ": "+dotted(j.asked[0]))) {
				t.Errorf("%s: asked about %q, answered %s", target, told(j.asked), w.Body)
			}
		}
		j := &judge{allow: everything}
		w := send(judged(t, j, config), http.MethodPost, "/v1/namespaces", body)
		if len(j.asked) == 0 && w.Code < 400 {
			t.Errorf("%s: nobody was asked, %d %s", body, w.Code, w.Body)
		}
		if w.Code == http.StatusOK && !slices.Equal(answered(t, w).Namespace, j.asked[0].Namespace) {
			t.Errorf("%s: asked about %q, answered %s", body, told(j.asked), w.Body)
		}
	})
}

// said is what answers say of names.
type said struct {
	Namespace []string
	Error     struct{ Message string }
}

func answered(t *testing.T, w *httptest.ResponseRecorder) (body said) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Errorf("%s: %v", w.Body, err)
	}
	return body
}

// dotted is a name as messages have it.
func dotted(a catalog.Access) string {
	return strings.Join(append(slices.Clone(a.Namespace), a.Name), ".")
}
