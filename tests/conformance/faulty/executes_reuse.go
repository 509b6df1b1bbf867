package faulty

// A server that files its records under key and request together. It never
// notices that a key is used twice, and executes the second request as well.
var executesReuse = Fault{
	Name:    "executes another request under a used key",
	Fails:   []string{"other-operation", "other-resource", "other-body"},
	install: func(s *server) { s.file = func(key, binding string) string { return key + "\n" + binding } },
}
