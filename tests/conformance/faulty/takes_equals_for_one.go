package faulty

import (
	"crypto/sha256"
	"fmt"
	"net/http"
)

// A server that means well and takes two equal requests for one, although nobody
// has sent a key. The second of two clients who do the same is told that he has
// done it.
var takesEqualsForOne = Fault{
	Name:  "needs no key to take two requests for one",
	Fails: []string{"unkeyed"},
	// The kit puts things back without a key, which is then not done twice.
	Blinds: true,
	install: func(s *server) {
		s.outside = func(guard http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if mutates(r) && r.Header["Idempotency-Key"] == nil {
					sent, err := readRequest(r, r.Header.Get("Authorization"))
					if err != nil {
						return // there is nobody to answer
					}
					sum := sha256.Sum256([]byte(sent.whole()))
					r.Header.Set("Idempotency-Key", fmt.Sprintf("%x-%x-7aaa-8aaa-%x", sum[:4], sum[4:6], sum[6:12]))
				}
				guard.ServeHTTP(w, r)
			})
		}
	},
}
