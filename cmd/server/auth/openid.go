package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/runtime"
)

// asymmetric are the algorithms that a token may be signed with. With any other,
// whoever knows the issuer's public keys could sign.
var asymmetric = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// retryAfter is when a client may come back to an issuer that was out of reach,
// and the least time between two attempts to find it.
const retryAfter = 2 * time.Second

// openID knows the tokens of an OpenID issuer. The issuer is asked for its keys
// when the first token comes, so that server and issuer may start in any order.
type openID struct {
	settings settings.Auth
	now      func() time.Time
	log      *slog.Logger
	http     *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	failed   time.Time
	failure  error
}

func newOpenID(s settings.Auth, now func() time.Time, log *slog.Logger) *openID {
	return &openID{settings: s, now: now, log: log, http: newHTTPClient(now)}
}

func (o *openID) close() { o.http.CloseIdleConnections() }

func (o *openID) principal(ctx context.Context, token string) (string, error) {
	if strings.Contains(token, "{") { // RFC 7519 knows the compact form only; the library takes JSON too
		return "", errNotValid
	}
	verifier, err := o.discovered(ctx)
	if err != nil {
		return "", outOfReach()
	}
	// The library's error says neither whether the keys could be had nor
	// anything else that could be told apart.
	var fetch fetchError
	verified, err := verifier.Verify(context.WithValue(ctx, fetchErrorKey{}, &fetch), token)
	switch {
	case fetch.err != nil:
		o.complain(ctx, fetch.err)
		return "", outOfReach()
	case err != nil:
		return "", fmt.Errorf("%w: %w", errNotValid, err)
	}
	if err := o.inTime(verified); err != nil {
		return "", err
	}
	return o.named(verified)
}

// inTime checks what the library would check with a tolerance of its own.
func (o *openID) inTime(token *oidc.IDToken) error {
	var claims struct {
		NotBefore *float64 `json:"nbf"`
	}
	if err := token.Claims(&claims); err != nil {
		return fmt.Errorf("%w: %w", errNotValid, err)
	}
	now, skew := o.now(), o.settings.OIDC.ClockSkew
	if token.Expiry.IsZero() {
		return fmt.Errorf("%w: it does not say when it expires", errNotValid)
	}
	if !now.Before(token.Expiry.Add(skew)) {
		return errExpired
	}
	if claims.NotBefore != nil && float64(now.Add(skew).Unix()) < *claims.NotBefore {
		return fmt.Errorf("%w: it is not valid yet", errNotValid)
	}
	return nil
}

// named returns the claim that says whose the token is.
func (o *openID) named(token *oidc.IDToken) (string, error) {
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return "", fmt.Errorf("%w: %w", errNotValid, err)
	}
	principal, ok := claims[o.settings.OIDC.PrincipalClaim].(string)
	if !ok || principal == "" {
		return "", fmt.Errorf("%w: the claim %s names nobody", errNotValid, o.settings.OIDC.PrincipalClaim)
	}
	return principal, nil
}

// discovered returns what verifies tokens. While the issuer is out of reach, few
// requests look for it, and the others are told at once.
func (o *openID) discovered(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.verifier != nil {
		return o.verifier, nil
	}
	if o.failure != nil && o.now().Sub(o.failed) < retryAfter {
		return nil, o.failure
	}
	jwks, err := o.findKeys()
	if err != nil {
		o.failed, o.failure = o.now(), err
		o.complain(ctx, err)
		return nil, err
	}
	// The context of a key set is where it finds its client, and lives as long
	// as the key set does: no request's may be given to it.
	remote := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), o.http), jwks)
	o.verifier = oidc.NewVerifier(o.settings.OIDC.Issuer, keySet{remote}, &oidc.Config{
		ClientID: o.settings.OIDC.Audience, SupportedSigningAlgs: asymmetric, SkipExpiryCheck: true,
	})
	return o.verifier, nil
}

// findKeys returns the URL of the issuer's keys, from the settings or else from
// the issuer. It takes no longer than the client's own limit.
func (o *openID) findKeys() (string, error) {
	if o.settings.OIDC.JWKSURL != "" {
		return o.settings.OIDC.JWKSURL, nil
	}
	provider, err := oidc.NewProvider(oidc.ClientContext(context.Background(), o.http), o.settings.OIDC.Issuer)
	if err != nil {
		return "", fmt.Errorf("auth.oidc.issuer: %w", err)
	}
	var found struct {
		JWKSURL string `json:"jwks_uri"`
	}
	if err := provider.Claims(&found); err != nil || found.JWKSURL == "" {
		return "", errors.New("auth.oidc.issuer: the issuer does not say where its keys are")
	}
	return found.JWKSURL, nil
}

// outOfReach is the answer when nobody can tell whether a token is valid. A 401
// would make clients throw it away.
func outOfReach() error {
	return &runtime.Error{
		Status: http.StatusServiceUnavailable, RetryAfter: retryAfter,
		Message: "The token cannot be checked now: its issuer is out of reach",
	}
}

// complain tells the operator what clients are not told.
func (o *openID) complain(ctx context.Context, err error) {
	o.log.ErrorContext(ctx, "the issuer is out of reach; requests are answered with 503", slog.Any("error", err))
}
