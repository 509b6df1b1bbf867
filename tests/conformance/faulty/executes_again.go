package faulty

import "net/http"

// A server that reads the key and keeps nothing: whoever lost an answer executes
// his request twice.
var executesAgain = Fault{
	Name: "executes every retry",
	Fails: []string{
		"crowd", "replay", "lost-answer", "moved-on", "twins", "other-operation", "other-resource", "other-body",
		"other-principal", "letter-case", "refusal", "etag",
	},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.final = func(*http.Request, *answer) bool { return false }
	},
}
