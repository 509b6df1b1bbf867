package faulty

import (
	"net/http"
	"strings"
	"time"
)

// pause is long enough for a client to send its request again, and for a server to
// see that its client is gone, on a busy machine too.
const pause = 300 * time.Millisecond

// slow makes a catalog think before each mutation of tables that has a key. If its
// request is given up meanwhile, the mutation does not take place.
func slow(catalog http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if mutates(r) && r.Header.Get("Idempotency-Key") != "" && strings.Contains(r.URL.Path, "/tables") {
			timer := time.NewTimer(pause)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-r.Context().Done():
				refusal(http.StatusServiceUnavailable, "ServiceUnavailableException", "Given up").send(w)
				return
			}
		}
		catalog.ServeHTTP(w, r)
	})
}
