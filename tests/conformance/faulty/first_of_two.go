package faulty

// A server that takes the first of two keys, as Header.Get does. A proxy before
// it may take the last one.
var firstOfTwo = Fault{
	Name:    "takes the first of two keys",
	Fails:   []string{"malformed"},
	install: func(s *server) { s.key = func(values []string) (string, bool) { return uuidv7(values[:1]) } },
}
