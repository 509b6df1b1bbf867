package faulty

import "net/http"

// A server whose layer for keys answers errors in a form of its own. Clients read
// Iceberg's, and make up an exception of their own for what is none.
var errorsOfItsOwn = Fault{
	Name:      "refuses keys in a form of its own",
	Fails:     []string{"errors"},
	Mentioned: true,
	install: func(s *server) {
		s.refuse = func(*record) *answer {
			return &answer{
				status: http.StatusUnprocessableEntity,
				header: http.Header{"Content-Type": {"application/problem+json"}},
				body:   []byte(`{"title":"the key was used before","status":422}`),
			}
		}
	},
}
