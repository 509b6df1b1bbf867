package faulty

import "net/http"

// A server that honours keys on reads as well: who refreshes with one key sees the
// same old table for as long as the key lives.
var replaysReads = Fault{
	Name:  "replays reads",
	Fails: []string{"reads"},
	install: func(s *server) {
		s.takesKey = func(r *http.Request) bool { return mutates(r) || r.Method == http.MethodGet }
	},
}
