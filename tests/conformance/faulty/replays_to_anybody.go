package faulty

import (
	"net/http"
	"sync"
)

// A server that looks for its records before it asks who calls: nobody needs a
// token to read an answer of which he has the key.
var replaysToAnybody = Fault{
	Name:  "replays without authentication",
	Fails: []string{"login"},
	install: func(s *server) {
		s.outside = func(guard http.Handler) http.Handler {
			var answers sync.Map
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				key := r.Header.Get("Idempotency-Key")
				_, known := byToken(r)
				if a, kept := answers.Load(key); kept && !known {
					a.(*answer).send(w)
					return
				}
				a := capture(guard, r)
				if known && mutates(r) {
					answers.Store(key, a)
				}
				a.send(w)
			})
		}
	},
}
