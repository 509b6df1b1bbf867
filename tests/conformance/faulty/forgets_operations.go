package faulty

import "net/http"

// A server that honours keys where its clients lost most, on creates and commits,
// and advertises one lifetime for all: they resend a drop too, and rely on what is
// not there.
var forgetsOperations = Fault{
	Name: "honours keys on some operations only",
	Fails: []string{
		"replay", "lost-answer", "moved-on", "twins", "other-operation", "other-resource", "malformed", "letter-case",
		"refusal",
	},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.takesKey = func(r *http.Request) bool { return mutates(r) && r.Method != http.MethodDelete }
	},
}
