package faulty

import (
	"context"
	"net/http"
)

// A server that answers a retry at once, while the first attempt still runs: it
// has seen the key, so all is well. The first attempt may yet fail.
var inventsSuccess = Fault{
	Name:    "answers the twin with a made-up success",
	Fails:   []string{"twins"},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.inside = slow
		s.meet = func(ctx context.Context, first *record) *answer {
			select {
			case <-first.done:
				return first.answer
			default:
				return &answer{status: http.StatusNoContent}
			}
		}
	},
}
