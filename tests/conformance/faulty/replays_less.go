package faulty

import "net/http"

// A server that keeps of an answer its status. The retry of a create succeeds, and
// its client has no table to go on with.
var replaysNoBody = Fault{
	Name: "replays without the body",
	Fails: []string{
		"crowd", "replay", "twins", "other-operation", "other-resource", "other-body", "letter-case", "refusal", "etag",
	},
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
	Name: "replays a 200 as a 201",
	Fails: []string{
		"crowd", "replay", "moved-on", "twins", "other-operation", "other-resource", "other-body", "other-principal",
		"letter-case",
	},
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

// A server that keeps status and body. The replay of a table is a text like any other,
// and a client that goes by the type does not read it.
var replaysNoType = Fault{
	Name: "replays without the Content-Type",
	Fails: []string{
		"crowd", "replay", "twins", "other-operation", "other-resource", "other-body", "letter-case", "refusal",
	},
	Perhaps: []string{"hang-up"},
	install: func(s *server) {
		s.replay = func(a *answer) *answer {
			header := a.header.Clone()
			header.Set("Content-Type", "application/octet-stream")
			return &answer{status: a.status, header: header, body: a.body}
		}
	},
}
