package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/coreos/go-oidc/v3/oidc"
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
