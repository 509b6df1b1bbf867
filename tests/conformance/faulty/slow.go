package faulty

import (
	"net/http"
	"strings"
	"time"
)

// pause is long enough for a client to send its request again, and for a server to
// see that its client is gone, on a busy machine too.
const pause = time.Second

// slow makes a catalog think before it makes a table for a request with a key. If
// the request is given up meanwhile, there is no table.
func slow(catalog http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if createsTable(r) {
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

// createsTable picks one request out, that of the kit for its case, so that what is
// slow or fails about it does not make a whole run slow, or unable to prepare.
func createsTable(r *http.Request) bool {
	if r.Header.Get("Idempotency-Key") == "" || r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/tables") {
		return false
	}
	sent, err := readRequest(r, "")
	return err == nil && strings.Contains(sent.body, `"name":"made"`)
}
