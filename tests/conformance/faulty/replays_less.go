package faulty

import "net/http"

// A server that keeps of an answer its status. The retry of a create succeeds, and
// its client has no table to go on with.
var replaysNoBody = Fault{
	Name:    "replays without the body",
	Fails:   []string{"replay", "twins", "other-operation", "other-resource", "other-body", "letter-case", "refusal", "etag"},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.replay = func(a *answer) *answer { return &answer{status: a.status, header: http.Header{}} }
	},
}

// A server that keeps of an answer all but its headers. Clients that cache tables
// by ETag load them again.
var replaysNoETag = Fault{
	Name:      "replays without the ETag",
	Fails:     []string{"etag"},
	Mentioned: true,
	install: func(s *server) {
		s.replay = func(a *answer) *answer {
			return &answer{status: a.status, header: http.Header{"Content-Type": a.header["Content-Type"]}, body: a.body}
		}
	},
}

// A server that replays every success as a 201. Iceberg's clients know 200, 202
// and 204.
var replays201 = Fault{
	Name:    "replays a 200 as a 201",
	Fails:   []string{"replay", "moved-on", "twins", "other-operation", "other-resource", "other-body", "letter-case"},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.replay = func(a *answer) *answer {
			if a.status != http.StatusOK {
				return a
			}
			return &answer{status: http.StatusCreated, header: a.header, body: a.body}
		}
	},
}
