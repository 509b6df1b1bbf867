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
