package faulty

import (
	"net/http"
	"sync"
)

// A server that finds its records by what is asked and not by the key alone. Who does
// the same thing once more, and says so with a new key, is told that he has done it.
var equalsUnderAnyKey = Fault{
	Name:  "takes two requests for one whatever their keys",
	Fails: []string{"moved-on", "refusal"},
	// The kit puts things back in the same words each time.
	Blinds: true,
	install: func(s *server) {
		s.outside = func(guard http.Handler) http.Handler {
			var keys sync.Map
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				values := r.Header.Values("Idempotency-Key")
				if len(values) != 1 || !mutates(r) {
					guard.ServeHTTP(w, r)
					return
				}
				if key, ok := uuidv7(values); ok {
					sent, err := readRequest(r, r.Header.Get("Authorization"))
					if err != nil {
						return // there is nobody to answer
					}
					first, _ := keys.LoadOrStore(sent.whole(), key)
					r.Header.Set("Idempotency-Key", first.(string))
				}
				guard.ServeHTTP(w, r)
			})
		}
	},
}
