package faulty

import (
	"context"
	"net/http"
)

// A server that answers a retry with a conflict while the first attempt still
// runs. Iceberg's clients clean up after that: in the end they delete the files of
// a commit that has taken place.
var refusesTwin = Fault{
	Name:    "answers the twin of a commit with CommitFailed",
	Fails:   []string{"twins"},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.inside = slow
		s.meet = func(_ context.Context, first *record) *answer {
			select {
			case <-first.done:
				return first.answer
			default:
				return refusal(http.StatusConflict, "CommitFailedException", "Somebody else is at it")
			}
		}
	},
}
