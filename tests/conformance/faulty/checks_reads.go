package faulty

import "net/http"

// A server that checks the key on every request. Reads take none, and some clients
// put their own on all they send.
var checksReads = Fault{
	Name:  "refuses a bad key on a read",
	Fails: []string{"reads"},
	install: func(s *server) {
		s.outside = func(guard http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				values := r.Header.Values("Idempotency-Key")
				if len(values) > 0 && !mutates(r) {
					if _, ok := uuidv7(values); !ok {
						refusal(http.StatusBadRequest, "BadRequestException", "Idempotency-Key must be one UUIDv7").send(w)
						return
					}
				}
				guard.ServeHTTP(w, r)
			})
		}
	},
}

// A server that lists the methods which take no key, and forgets HEAD: a client that
// asks whether a table exists is told that it does not.
var checksHead = Fault{
	Name:  "refuses a key on HEAD",
	Fails: []string{"reads"},
	install: func(s *server) {
		s.outside = func(guard http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodHead && r.Header.Get("Idempotency-Key") != "" {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				guard.ServeHTTP(w, r)
			})
		}
	},
}
