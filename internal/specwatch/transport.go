package specwatch

import (
	"bytes"
	"io"
	"net/http"
	"testing"
)

// Transport returns a RoundTripper that sends by base and fails the test at each
// violation.
func Transport(t testing.TB, base http.RoundTripper) http.RoundTripper {
	t.Helper()
	b, err := theBook()
	if err != nil {
		t.Fatal(err)
	}
	return &transport{t, base, b}
}

type transport struct {
	t    testing.TB
	base http.RoundTripper
	book *book
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
	for _, v := range w.book.check(r.Context(), x) {
		w.t.Errorf("not as the specification says: %s %s: %s", r.Method, rawPath(x.request), v)
	}
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
