package runtime_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// route sends a request target, as it stands on the wire, through Echo and the
// nil guard.
func route(t testing.TB, target string, handle func(c echo.Context) error) *httptest.ResponseRecorder {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n")))
	if err != nil {
		return nil
	}
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandler
	var guard *runtime.Guard
	for _, path := range []string{"/v1/:prefix/n/:namespace/t/:table", "/v1/n/:namespace/t/:table", `/v1/n/:namespace/t\:all/:table`} {
		e.GET(path, guard.Handler(&runtime.Operation{ID: "get"}, handle))
	}
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, r)
	return recorder
}

// Case B8.
func TestPathValue(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"a%252Fb": "a%2Fb", "a%2Fb": "a/b", "a%1Fb": "a\x1fb", "a%1fb": "a\x1fb", "%25": "%", "a%2525%2Fb": "a%25/b",
		"caf%c3%a9": "café", "a+b%2B": "a b+", "50%25": "50%", "ü": "ü", "表%2f": "表/", "%00": "\x00", "%ff": "\xff", ":x": ":x", "*": "*",
	} {
		for _, place := range []string{"/v1/n/" + raw + "/t/x%2Fy", "/v1/" + raw + "/n/" + raw + "/t/" + raw, "/v1/n/" + raw + "/t:all/t"} {
			called := false
			route(t, place, func(c echo.Context) error {
				called = true
				got, ok, err := runtime.PathValue(c, "namespace")
				if err != nil || !ok || got != want {
					t.Errorf("%s: %q, %t, %v, want %q", place, got, ok, err, want)
				}
				if _, ok, err := runtime.PathValue(c, "nobody"); ok || err != nil {
					t.Errorf("%s has a parameter that it has not", place)
				}
				var bound string
				if err := runtime.BindPath(c, runtime.Parameter{Name: "namespace"}, &bound); err != nil || bound != want {
					t.Errorf("%s: bound %q, %v", place, bound, err)
				}
				if kept := runtime.RawPathValue(c.Request().Context(), "namespace"); kept != raw && kept != (&url.URL{Path: raw}).EscapedPath() {
					t.Errorf("%s: raw %q", place, kept)
				}
				return c.NoContent(http.StatusNoContent)
			})
			if !called {
				t.Errorf("%s was not routed", place)
			}
		}
	}
	if got := runtime.RawPathValue(t.Context(), "namespace"); got != "" {
		t.Errorf("outside of a handler: %q", got)
	}
}

func TestPathPrefixLeftOut(t *testing.T) {
	t.Parallel()
	route(t, "/v1/n/a/t/b", func(c echo.Context) error {
		prefix := "as it was"
		if err := runtime.BindPath(c, runtime.Parameter{Name: "prefix", Required: true}, &prefix); err != nil || prefix != "as it was" {
			t.Errorf("%q, %v", prefix, err)
		}
		return c.NoContent(http.StatusNoContent)
	})
}

// FuzzPathValue holds the decoding against the rule: the raw segment, decoded
// once by form rules, or a 400.
func FuzzPathValue(f *testing.F) {
	for _, seed := range []string{"a", "a%2Fb", "%25", "a+b", "caf%c3%a9", "ü", "a%252F%2f", "", ".", "..", "%2e%2e", ";", "%zz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if strings.ContainsAny(raw, "/?#") || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			return // ends the segment, or the request line
		}
		recorder := route(t, "/v1/p/n/"+raw+"/t/t", func(c echo.Context) error {
			got, ok, err := runtime.PathValue(c, "namespace")
			want, bad := url.QueryUnescape(raw)
			switch {
			case bad != nil:
				wantError(t, raw, err, 400, "namespace is not validly encoded")
			case err != nil || !ok || got != want:
				t.Errorf("%q: %q, %t, %v, want %q", raw, got, ok, err, want)
			}
			return c.NoContent(http.StatusNoContent)
		})
		if recorder != nil && recorder.Code >= 500 {
			t.Errorf("%q: %d", raw, recorder.Code)
		}
	})
}
