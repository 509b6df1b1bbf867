package faulty

// A server that takes any text for a key. Clients whose keys are not unique (a
// counter, a constant) find out only when somebody else's answer comes back.
var anyText = Fault{
	Name:  "takes any text for a key",
	Fails: []string{"malformed"},
	install: func(s *server) {
		s.key = func(values []string) (string, bool) {
			key, ok := uuidv7(values)
			if !ok {
				key = values[0]
			}
			return key, len(values) == 1
		}
	},
}
