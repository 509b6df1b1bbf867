package faulty

import (
	"net/http"
	"sync"
)

// A server that keeps the answer to a caller whose token had expired. With a new
// token, and the same key as the client library demands, he is refused again.
var keeps401 = Fault{
	Name:  "keeps a 401",
	Fails: []string{"login"},
	install: func(s *server) {
		s.outside = func(guard http.Handler) http.Handler {
			var refused sync.Map
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				key := r.Header.Get("Idempotency-Key")
				if a, again := refused.Load(key); again && mutates(r) {
					a.(*answer).send(w)
					return
				}
				a := capture(guard, r)
				if a.status == http.StatusUnauthorized && key != "" {
					refused.Store(key, a)
				}
				a.send(w)
			})
		}
	},
}
