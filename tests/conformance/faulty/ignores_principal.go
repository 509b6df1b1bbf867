package faulty

// A server that replays to whoever has the key, which stands in many a log: one
// principal reads what another one was answered.
var ignoresPrincipal = Fault{
	Name:  "replays to other principals",
	Fails: []string{"other-principal"},
	install: func(s *server) {
		s.binding = func(r request) string {
			r.principal = ""
			return r.whole()
		}
	},
}
