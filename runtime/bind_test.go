package runtime_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

func TestBindQuery(t *testing.T) {
	t.Parallel()
	form := func(p runtime.Parameter) runtime.Parameter { p.Name, p.Style, p.Explode = "q", "form", true; return p }
	for _, c := range []struct {
		name, query string
		p           runtime.Parameter
		dest, want  any
	}{
		{"text", "q=a+b%2B", form(runtime.Parameter{Type: "string"}), new(string), "a b+"},
		{"optional text", "q=", form(runtime.Parameter{Type: "string"}), new(*string), new("")},
		{"absent", "p=1", form(runtime.Parameter{Type: "string"}), new(*string), (*string)(nil)},
		{"integer", "q=9007199254740993", form(runtime.Parameter{Type: "integer", Required: true}), new(int64), int64(9007199254740993)},
		{"boolean", "q=true", form(runtime.Parameter{Type: "boolean"}), new(*bool), new(true)},
		{"list", "q=1&q=2", form(runtime.Parameter{Type: "array"}), new(*[]int64), &[]int64{1, 2}},
		{"joined list", "q=a,b", runtime.Parameter{Name: "q", Style: "form", Type: "array"}, new(*[]string), &[]string{"a", "b"}},
		{"JSON", `q={"name":"n"}`, runtime.Parameter{Name: "q", JSON: true}, new(*thing), &thing{Name: "n"}},
	} {
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if err := runtime.BindQuery(query, c.p, c.dest); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, deref(c.dest)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

// deref is what a test's destination points at.
func deref(dest any) any {
	switch dest := dest.(type) {
	case *string:
		return *dest
	case **string:
		return *dest
	case *int64:
		return *dest
	case **bool:
		return *dest
	case **[]int64:
		return *dest
	case **[]string:
		return *dest
	case **thing:
		return *dest
	}
	return dest
}

func TestBindQueryRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query   string
		p       runtime.Parameter
		dest    any
		message string
	}{
		{"", runtime.Parameter{Name: "q", Style: "form", Required: true, Type: "string"}, new(string), "Query parameter q is required"},
		{"", runtime.Parameter{Name: "q", JSON: true, Required: true}, new(thing), "Query parameter q is required"},
		{"q=x", runtime.Parameter{Name: "q", Style: "form", Explode: true, Type: "integer"}, new(*int64), `Query parameter q must be an integer, not "x"`},
		{"q=x", runtime.Parameter{Name: "q", Style: "form", Explode: true, Type: "boolean"}, new(*bool), `Query parameter q must be true or false, not "x"`},
		{"q=1&q=2", runtime.Parameter{Name: "q", Style: "form", Explode: true, Type: "string"}, new(*string), "Query parameter q is given 2 times"},
		{"q={", runtime.Parameter{Name: "q", JSON: true}, new(*thing), "Query parameter q is not the JSON that it should be"},
		{"q=a,x", runtime.Parameter{Name: "q", Style: "form", Type: "array"}, new(*[]int64), `Query parameter q must be a list, not "a,x"`},
	} {
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, c.query, runtime.BindQuery(query, c.p, c.dest), 400, c.message)
	}
	for _, bad := range []string{"/?a=%zz", "/?a;b"} {
		_, err := runtime.Query(receive("GET", bad, "", ""))
		wantError(t, bad, err, 400, "The query is not validly encoded")
	}
}

func TestBindHeaderAndCookie(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header["X-List"] = []string{"a, b", "c"}
	r.Header["X-Text"] = []string{"a, b", "c"}
	r.Header["X-Count"] = []string{"7"}
	r.Header["X-Json"] = []string{`{"name":"n"}`}
	r.AddCookie(&http.Cookie{Name: "session", Value: "s"})
	c := echo.New().NewContext(r, nil)

	var list *[]string
	var text, session *string
	var count int64
	var object *thing
	for _, err := range []error{
		runtime.BindHeader(c, runtime.Parameter{Name: "x-list", Type: "array"}, &list),
		runtime.BindHeader(c, runtime.Parameter{Name: "X-Text", Type: "string"}, &text),
		runtime.BindHeader(c, runtime.Parameter{Name: "X-Count", Type: "integer", Required: true}, &count),
		runtime.BindHeader(c, runtime.Parameter{Name: "X-Json", JSON: true}, &object),
		runtime.BindHeader(c, runtime.Parameter{Name: "X-Absent", Type: "string"}, new(*string)),
		runtime.BindCookie(c, runtime.Parameter{Name: "session", Type: "string"}, &session),
		runtime.BindCookie(c, runtime.Parameter{Name: "none", Type: "string"}, new(*string)),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(&[]string{"a", "b", "c"}, list); diff != "" || *text != "a, b,c" || count != 7 || object.Name != "n" || *session != "s" {
		t.Errorf("%v, %q, %d, %v, %q", *list, *text, count, object, *session)
	}
	if diff := cmp.Diff([]string{"a, b", "c"}, r.Header["X-List"]); diff != "" {
		t.Errorf("the request was changed (-want +got)\n%s", diff)
	}
	wantError(t, "absent header", runtime.BindHeader(c, runtime.Parameter{Name: "X-Absent", Required: true}, new(string)), 400, "Header parameter X-Absent is required")
	wantError(t, "bad header", runtime.BindHeader(c, runtime.Parameter{Name: "X-Text", Type: "integer"}, new(int64)), 400, `Header parameter X-Text must be an integer, not "a, b,c"`)
	wantError(t, "absent cookie", runtime.BindCookie(c, runtime.Parameter{Name: "none", Required: true}, new(string)), 400, "Cookie parameter none is required")
	wantError(t, "bad cookie", runtime.BindCookie(c, runtime.Parameter{Name: "session", Type: "number"}, new(float64)), 400, `Cookie parameter session must be a number, not "s"`)
}

func TestBindPathOfOtherTypes(t *testing.T) {
	t.Parallel()
	route(t, "/v1/n/7/t/a,b", func(c echo.Context) error {
		var count int64
		var list []string
		if err := runtime.BindPath(c, runtime.Parameter{Name: "namespace", Style: "simple", Type: "integer"}, &count); err != nil || count != 7 {
			t.Errorf("%d, %v", count, err)
		}
		if err := runtime.BindPath(c, runtime.Parameter{Name: "table", Style: "simple", Type: "array"}, &list); err != nil || len(list) != 2 {
			t.Errorf("%v, %v", list, err)
		}
		err := runtime.BindPath(c, runtime.Parameter{Name: "table", Style: "simple", Type: "integer"}, &count)
		wantError(t, "bad path", err, 400, `Path parameter table must be an integer, not "a,b"`)
		return c.NoContent(http.StatusNoContent)
	})
}
