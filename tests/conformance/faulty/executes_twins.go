package faulty

// A server that writes its record when the answer is known, and reserves nothing
// before. Retries that come one after the other are fine; one that comes while the
// first attempt runs is executed too.
var executesTwins = Fault{
	Name:    "executes the twin",
	Fails:   []string{"twins"},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.inside = slow
		s.reserves = false
	},
}
