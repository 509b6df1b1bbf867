package faulty

import "net/http"

// A server that keeps successes alone. A create that was refused succeeds when it
// is sent again, after its client has been told that it failed.
var forgetsRefusals = Fault{
	Name:  "forgets a final 4xx",
	Fails: []string{"refusal"},
	install: func(s *server) {
		s.final = func(_ *http.Request, a *answer) bool { return a.status < http.StatusBadRequest }
	},
}
