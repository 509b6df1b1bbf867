package faulty

import "net/http"

// A server that writes its record on the request's own context. When the client
// hangs up, the mutation takes place and the record is not written; so just the
// client that needs the record executes twice.
var freesAtHangUp = Fault{
	Name:  "frees the key when the client hangs up",
	Fails: []string{"hang-up"},
	install: func(s *server) {
		s.inside = slow
		s.final = func(r *http.Request, a *answer) bool { return deterministic(a.status) && r.Context().Err() == nil }
	},
}
