package faulty

import "net/http"

// A server that reads the key and keeps nothing: whoever lost an answer executes
// his request twice.
var executesAgain = Fault{
	Name: "executes every retry",
	install: func(s *server) {
		s.final = func(*http.Request, *answer) bool { return false }
	},
}
