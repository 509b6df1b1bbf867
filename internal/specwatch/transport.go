package specwatch

import (
	"bytes"
	"io"
	"net/http"
	"testing"
)

// Transport returns a RoundTripper that sends by base and fails the test for each
// violation. It is for clients in the test's own process, and for servers that go
// away and come back; what other processes send goes through a Front.
func Transport(t testing.TB, base http.RoundTripper) http.RoundTripper {
	t.Helper()
	return &transport{base, newFindings(t)}
}

type transport struct {
	base     http.RoundTripper
	findings *findings
}

// RoundTrip implements http.RoundTripper.
func (w *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	x := exchange{request: r}
	if r.Body != nil {
		var err error
		if x.sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		if err := r.Body.Close(); err != nil {
			return nil, err
		}
		sending := r.Clone(r.Context())
		sending.Body = io.NopCloser(bytes.NewReader(x.sent))
		r = sending
	}
	response, err := w.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	x.received, err = io.ReadAll(response.Body)
	response.Body.Close()
	rest := io.Reader(bytes.NewReader(x.received))
	if err != nil {
		// The test gets the same bytes, and the same error where they end.
		response.Body = io.NopCloser(io.MultiReader(rest, failure{err}))
		return response, nil
	}
	response.Body = io.NopCloser(rest)
	x.status, x.header = response.StatusCode, response.Header
	w.findings.add(r.Context(), x)
	return response, nil
}

// failure is a reader that has come to an error.
type failure struct{ error }

func (f failure) Read([]byte) (int, error) { return 0, f.error }

// CloseIdleConnections is what http.Client looks for.
func (w *transport) CloseIdleConnections() {
	if base, ok := w.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}
