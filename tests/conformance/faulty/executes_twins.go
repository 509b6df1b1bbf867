package faulty

import "context"

// A server that writes its record when the answer is known, and reserves nothing
// before. Retries that come one after the other are fine; one that comes while the
// first attempt runs is executed too.
var executesTwins = Fault{
	Name: "executes the twin",
	install: func(s *server) {
		s.inside = slow
		s.meet = func(_ context.Context, first *record) *answer {
			select {
			case <-first.done:
				return first.answer
			default:
				return nil
			}
		}
	},
}
