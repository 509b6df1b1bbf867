package faulty

import "github.com/google/uuid"

// A server that leaves the key to a library, which knows braces, urn:uuid:, no
// hyphens, and all versions.
var anyUUID = Fault{
	Name:  "takes whatever its library takes for a UUID",
	Fails: []string{"malformed"},
	install: func(s *server) {
		s.key = func(values []string) (string, bool) {
			key, err := uuid.Parse(values[0])
			return key.String(), err == nil && len(values) == 1
		}
	},
}
