package faulty

import (
	"net/http"
	"strings"
)

// A server that honours keys where it was easy, and advertises one lifetime for
// all: clients resend a rename or a transaction and rely on what is not there.
var forgetsOperations = Fault{
	Name:  "honours keys on some operations only",
	Fails: []string{"replay", "lost-answer", "hang-up", "moved-on", "twins", "other-operation", "other-body", "malformed", "letter-case", "refusal"},
	install: func(s *server) {
		s.takesKey = func(r *http.Request) bool {
			return mutates(r) && !strings.HasSuffix(r.URL.Path, "/rename") && !strings.HasSuffix(r.URL.Path, "/commit")
		}
	},
}
