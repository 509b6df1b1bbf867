package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// Bounds on what an issuer may do to this server.
const (
	issuerTimeout = 10 * time.Second
	issuerAnswer  = 1 << 20
)

// keySet is a remote key set that says by way of the context when keys could not
// be had. It caches keys, and looks for new ones when a token names one that it
// does not know: that is how keys are rotated.
type keySet struct{ remote *oidc.RemoteKeySet }

type fetchErrorKey struct{}

// fetchError is where a key set leaves the reason why it has no keys.
type fetchError struct{ err error }

// VerifySignature implements oidc.KeySet. Of the library's errors only those of
// getting keys have a cause.
func (k keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.remote.VerifySignature(ctx, token)
	if cause := errors.Unwrap(err); cause != nil {
		if fetch, ok := ctx.Value(fetchErrorKey{}).(*fetchError); ok {
			fetch.err = fmt.Errorf("the keys of auth.oidc.issuer: %w", cause)
		}
	}
	return payload, err
}

// newHTTPClient returns what asks an issuer. It shares no connections with
// others, so that they can be closed.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{Timeout: issuerTimeout, Transport: bounded{transport}}
}

// bounded cuts off answers that are larger than any set of keys; the library
// would read them to their end.
type bounded struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.Transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, issuerAnswer), response.Body}
	return response, nil
}
