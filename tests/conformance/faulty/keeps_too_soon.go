package faulty

import "net/http"

// A server that notes the success before it commits. The client hangs up, the
// server gives the request up, and the retry hears of a success that never was.
var keepsTooSoon = Fault{
	Name:  "keeps a success before the commit",
	Fails: []string{"hang-up"},
	install: func(s *server) {
		s.inside = slow
		s.run = func(catalog http.Handler, r *http.Request) *answer {
			a := capture(catalog, r)
			if r.Context().Err() != nil {
				return &answer{status: http.StatusNoContent}
			}
			return a
		}
	},
}
