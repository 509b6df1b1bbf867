package faulty

// A server that compares keys as text, although UUIDs have two spellings: a proxy
// or a library that changes the case makes a retry a first attempt.
var caseSensitive = Fault{
	Name:  "tells upper from lower case",
	Fails: []string{"letter-case"},
	install: func(s *server) {
		s.key = func(values []string) (string, bool) {
			_, ok := uuidv7(values)
			return values[0], ok
		}
	},
}
