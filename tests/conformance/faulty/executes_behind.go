package faulty

import (
	"net/http"
	"sync"
)

// A server that executes every retry and answers it from the record. Clients are
// content, and what others have undone meanwhile is done again: only the catalog shows
// it.
var executesBehind = Fault{
	Name:  "executes every retry behind its record",
	Fails: []string{"replay", "twins", "moved-on", "refusal", "other-principal"},
	install: func(s *server) {
		var catalog http.Handler
		s.inside = func(h http.Handler) http.Handler {
			catalog = h
			return h
		}
		s.outside = func(guard http.Handler) http.Handler {
			var met sync.Map
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				key, ok := uuidv7([]string{r.Header.Get("Idempotency-Key")})
				sent, err := readRequest(r, r.Header.Get("Authorization"))
				if err != nil {
					return // there is nobody to answer
				}
				again := r.Clone(r.Context())
				again.Body = sent.reader()
				a := capture(guard, r)
				if _, retry := met.LoadOrStore(key+sent.whole(), true); retry && ok && mutates(r) && deterministic(a.status) {
					capture(catalog, again)
				}
				a.send(w)
			})
		}
	},
}
