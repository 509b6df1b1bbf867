package catalog_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/generated"
)

// Whatever stands where a namespace, a parent or a page token should, the answer
// is one that the document declares.
func FuzzNames(f *testing.F) {
	f.Add("a%1Fb", "a\x1fb", "AAAA")
	f.Add("%", "", "")
	f.Add("a.b%2Ec", "a.b", "x+y")
	f.Add("%ff%00", "\xff", "====")
	config := complete(f, catalog.Config{}, dsns["sqlite"](f))
	f.Fuzz(func(t *testing.T, segment, parent, token string) {
		for _, separator := range []string{"", "%2E"} {
			config.Separator = separator
			c, err := catalog.New(config)
			if err != nil {
				t.Fatal(err)
			}
			e := echo.New()
			generated.Register(e, c, nil)
			query := url.Values{"parent": {parent}, "pageToken": {token}, "pageSize": {"2"}}.Encode()
			for _, target := range []*url.URL{
				{Path: "/v1/namespaces/x", RawPath: "/v1/namespaces/" + strings.ReplaceAll(segment, "/", "%2F")},
				{Path: "/v1/namespaces", RawQuery: query},
			} {
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.URL = target
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
				switch w.Code {
				case http.StatusOK, http.StatusBadRequest, http.StatusNotFound:
				default:
					t.Errorf("%v: %d %s", target, w.Code, w.Body)
				}
				if !json.Valid(w.Body.Bytes()) {
					t.Errorf("%v: not JSON: %s", target, w.Body)
				}
			}
		}
	})
}
