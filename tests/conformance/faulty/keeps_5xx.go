package faulty

import (
	"net/http"
	"sync"
)

// A server that keeps a moment's trouble for good, as Apache's test server does:
// who retries, which is what a 503 asks for, never gets through.
var keeps5xx = Fault{
	Name:   "keeps a 503",
	Fails:  []string{"replay"},
	Blinds: true,
	install: func(s *server) {
		s.inside = troubled
		s.final = func(*http.Request, *answer) bool { return true }
	},
}

// troubled answers the first attempt at making a table with a 503, before anything
// has happened. An honest server may do that; its clients come back.
func troubled(catalog http.Handler) http.Handler {
	var met sync.Map
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if createsTable(r) {
			if _, before := met.LoadOrStore(r.Header.Get("Idempotency-Key"), true); !before {
				comeBack().send(w)
				return
			}
		}
		catalog.ServeHTTP(w, r)
	})
}
