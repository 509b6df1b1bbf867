package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// The grant types, by RFC 6749 section 4.4 and RFC 8693 section 2.1.
const (
	clientCredentials = "client_credentials"
	tokenExchange     = "urn:ietf:params:oauth:grant-type:token-exchange"
)

// accessToken is the type of an issued token, by RFC 8693 section 3.
const accessToken = "urn:ietf:params:oauth:token-type:access_token"

// scopeText is what RFC 6749 section 3.3 lets a scope be.
var scopeText = regexp.MustCompile(`^[!#-\[\]-~]+( [!#-\[\]-~]+)*$`)

// Grants reports whether there is a token endpoint.
func (a *Auth) Grants() bool { return a.signer != nil }

// Grant answers the token endpoint: a client's id and secret for a token, by RFC
// 6749 section 4.4. The document calls the endpoint deprecated, and Iceberg's
// clients use it when they are given a credential and no other endpoint.
func (a *Auth) Grant(ctx context.Context) (generated.GetTokenResponseObject, error) {
	form, err := formOf(ctx)
	if err != nil {
		return nil, err
	}
	grant := form.Get("grant_type")
	switch {
	case grant == "":
		return nil, oauthError("invalid_request", "The parameter grant_type is required")
	case grant == tokenExchange && !isRenewal(ctx, form):
		return nil, oauthError("unsupported_grant_type",
			"A token is only exchanged for the client that had it from here and sends its id and secret; these alone do with client_credentials")
	case grant != clientCredentials && grant != tokenExchange:
		return nil, oauthError("unsupported_grant_type", "The only grant type is client_credentials")
	}
	scope := form.Get("scope")
	if scope != "" && !scopeText.MatchString(scope) {
		return nil, oauthError("invalid_scope", "The scope has a character that no scope may have")
	}
	id, known, err := a.clientOf(ctx, form)
	if err != nil {
		return nil, err
	}
	if grant == tokenExchange && !a.owns(ctx, known, form.Get("subject_token")) {
		return nil, oauthError("invalid_request", "The subject token is not the client's")
	}
	token, err := a.signer.sign(id, known)
	if err != nil {
		return nil, err
	}
	return a.signer.answer(token, scope), nil
}

func formOf(ctx context.Context) (url.Values, error) {
	form, err := url.ParseQuery(string(runtime.RawBody(ctx)))
	if err != nil {
		return nil, oauthError("invalid_request", "The form is not validly encoded")
	}
	for name, values := range form {
		if len(values) > 1 {
			return nil, oauthError("invalid_request", "The parameter "+name+" is there more than once")
		}
	}
	return form, nil
}

func (s *signer) answer(token, scope string) (response generated.GetToken200JSONResponse) {
	seconds, tokenType := int64(s.lifetime.Seconds()), generated.TokenType(accessToken)
	body := &response.Body
	body.AccessToken, body.TokenType = token, generated.OAuthTokenResponseTokenTypeBearer
	body.ExpiresIn, body.IssuedTokenType = &seconds, &tokenType
	if scope != "" {
		body.Scope = &scope
	}
	return response
}

// clientOf authenticates the client, by the form or by its header. A client that
// sends both, as Java's does to renew a token, has to mean the same by them.
func (a *Auth) clientOf(ctx context.Context, form url.Values) (string, client, error) {
	id, secret := form.Get("client_id"), form.Get("client_secret")
	basic, hasBasic := ctx.Value(basicKey{}).(basicCredentials)
	switch {
	case hasBasic && secret != "" && basic != basicCredentials{id, secret}:
		return "", client{}, oauthError("invalid_request", "Form and header have different credentials")
	case hasBasic:
		id, secret = basic.id, basic.secret
	}
	known := a.signer.clients.get()
	if found, ok := known.authenticate(id, secret); ok {
		return id, found, nil
	}
	// RFC 6749 section 2.3.1 has the parts of the header form-encoded, which
	// few clients do.
	if hasBasic {
		plainID, err1 := url.QueryUnescape(id)
		plainSecret, err2 := url.QueryUnescape(secret)
		if found, ok := known.authenticate(plainID, plainSecret); ok && errors.Join(err1, err2) == nil {
			return plainID, found, nil
		}
	}
	return "", client{}, oauthError("invalid_client", "The client is not known, or its secret is wrong")
}

// isRenewal recognises the one exchange that there is: an access token for another
// one. It must come with the client's secret and says no more than that does:
// Java's client knew no other way to renew a token before release 1.10, and comes
// so after it has tried the token alone. But with that alone, whoever has got hold
// of a token could keep it alive.
func isRenewal(ctx context.Context, form url.Values) bool {
	_, hasBasic := ctx.Value(basicKey{}).(basicCredentials)
	return (hasBasic || form.Get("client_secret") != "") &&
		form.Get("subject_token_type") == accessToken && form.Get("actor_token") == ""
}

// owns tells whether a token is or was the client's: it may have expired.
func (a *Auth) owns(ctx context.Context, c client, token string) bool {
	whose, err := a.principal(ctx, token)
	if errors.Is(err, errExpired) {
		var said *issued
		if said, err = a.signer.verify(token); err == nil {
			whose = said.Subject
		}
	}
	return err == nil && whose == c.principal
}

func oauthError(code, description string) *runtime.Error {
	status := http.StatusBadRequest
	if code == "invalid_client" {
		status = http.StatusUnauthorized
	}
	return runtime.Errorf(status, code, "%s", description)
}

type basicKey struct{}

type basicCredentials struct{ id, secret string }

// AtTokenEndpoint stands in front of the token endpoint in place of Authenticate:
// who asks there has no token yet. It passes HTTP Basic credentials on, and sees
// to the headers that RFC 6749 section 5 demands.
func (a *Auth) AtTokenEndpoint(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, response := c.Request(), c.Response()
		response.Header().Set(echo.HeaderCacheControl, "no-store")
		id, secret, hasBasic := r.BasicAuth()
		if hasBasic {
			c.SetRequest(r.WithContext(context.WithValue(r.Context(), basicKey{}, basicCredentials{id, secret})))
		}
		response.Before(func() {
			if hasBasic && response.Status == http.StatusUnauthorized {
				response.Header().Set(echo.HeaderWWWAuthenticate, `Basic realm="onceberg"`)
			}
		})
		return next(c)
	}
}
