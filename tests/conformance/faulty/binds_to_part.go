package faulty

import "strconv"

// A server that binds a key to how long the body is, as to a Content-Length: a commit
// of another step, of as many letters, is answered with the success of the first.
var bindsToLength = Fault{
	Name:  "binds a key to the length of the body",
	Fails: []string{"other-body"},
	install: func(s *server) {
		s.binding = func(r request) string {
			r.body = strconv.Itoa(len(r.body))
			return r.whole()
		}
	},
}

// A server whose column for the binding holds 255 characters, and cuts what is longer.
var bindsToBeginning = Fault{
	Name:  "binds a key to the beginning of the request",
	Fails: []string{"other-body"},
	install: func(s *server) {
		s.binding = func(r request) string {
			whole := r.whole()
			return whole[:min(len(whole), 255)]
		}
	},
}

// A server that binds a key to the path and not to the query: a drop with all files,
// under the key of a plain drop, is told that the files are gone.
var ignoresQuery = Fault{
	Name:  "ignores the query",
	Fails: []string{"other-body"},
	install: func(s *server) {
		s.binding = func(r request) string {
			r.query = ""
			return r.whole()
		}
	},
}
