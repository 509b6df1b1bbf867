package faulty

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
)

// Before stands before a catalog until the test ends, and answers some requests
// itself: those for which answers returns true. It returns its own URL.
func Before(tb testing.TB, catalog string, answers func(http.ResponseWriter, *http.Request) bool) string {
	tb.Helper()
	to, err := url.Parse(catalog)
	if err != nil {
		tb.Fatal(err)
	}
	onward := httputil.NewSingleHostReverseProxy(to)
	onward.Transport = &http.Transport{DisableKeepAlives: true}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answers(w, r) {
			onward.ServeHTTP(w, r)
		}
	}))
	tb.Cleanup(server.Close)
	return server.URL
}
