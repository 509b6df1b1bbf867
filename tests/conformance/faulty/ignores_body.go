package faulty

// A server for which a key belongs to a place and not to what is sent there:
// another commit under the same key is answered with the success of the first, and
// lost.
var ignoresBody = Fault{
	Name:  "ignores the body",
	Fails: []string{"other-body"},
	install: func(s *server) {
		s.binding = func(r request) string {
			r.body = ""
			return r.whole()
		}
	},
}
