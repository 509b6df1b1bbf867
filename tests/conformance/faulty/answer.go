package faulty

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
)

// answer is a response, to be sent once or many times.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// capture has a handler answer, and nobody hear it.
func capture(h http.Handler, r *http.Request) *answer {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return &answer{status: w.Code, header: w.Header(), body: w.Body.Bytes()}
}

func (a *answer) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that has gone needs no answer
}

// refusal is an error in Iceberg's form.
func refusal(status int, typ, message string) *answer {
	return &answer{
		status: status,
		header: http.Header{"Content-Type": {"application/json"}},
		body:   fmt.Appendf(nil, `{"error":{"message":%q,"type":%q,"code":%d}}`, message, typ, status),
	}
}

// usedBefore refuses a key that belongs to another request.
func usedBefore(message string) *answer {
	return refusal(http.StatusUnprocessableEntity, "IdempotencyKeyReusedException", message)
}

// comeBack tells a client to send its request again.
func comeBack() *answer {
	a := refusal(http.StatusServiceUnavailable, "ServiceUnavailableException", "Not yet")
	a.header.Set("Retry-After", "1")
	return a
}
