package faulty

import "regexp"

// A server that binds a key to the operation and the body, and not to the table
// in the path: dropping b with the key of a drop of a drops nothing.
var ignoresResource = Fault{
	Name:  "ignores the resource",
	Fails: []string{"other-resource"},
	install: func(s *server) {
		s.binding = func(r request) string {
			r.path = named.ReplaceAllString(r.path, "/$1/*")
			return r.whole()
		}
	},
}

var named = regexp.MustCompile(`/(namespaces|tables|views)/[^/]+`)
