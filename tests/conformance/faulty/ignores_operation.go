package faulty

// A server that looks at the key alone. A drop with the key of a create is
// answered with the create's success, and nothing is dropped.
var ignoresOperation = Fault{
	Name:    "looks at the key alone",
	Fails:   []string{"other-operation", "other-resource", "other-body"},
	install: func(s *server) { s.binding = func(r request) string { return r.principal } },
}
