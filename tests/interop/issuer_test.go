//go:build interop

package interop

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/onceberg/onceberg/cmd/server/auth/authtest"
)

// provider is an identity provider: an issuer of tokens, with an endpoint where
// callers get them.
type provider struct {
	url     string // of the token endpoint
	t       *testing.T
	issuer  *authtest.Issuer
	callers []caller
}

const audience = "onceberg"

func newProvider(t *testing.T, callers []caller) *provider {
	t.Helper()
	p := &provider{t: t, issuer: authtest.NewIssuer(t), callers: callers}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL + "/token"
	return p
}

// knownBy starts a server that takes the provider's tokens.
func knownBy(t *testing.T, r run, p *provider) server {
	t.Helper()
	return secured(t, r, "openid", "--auth.type=oidc", "--auth.oidc.issuer="+p.issuer.URL, "--auth.oidc.audience="+audience)
}

// token is a token of somebody that ends after a time.
func (p *provider) token(c caller, after time.Duration) string {
	return p.issuer.Token(map[string]any{
		"iss": p.issuer.URL, "aud": audience, "sub": c.name, "exp": time.Now().Add(after).Unix(),
	})
}

// ServeHTTP implements http.Handler: a client's id and secret, in the form or by
// HTTP Basic, for a token.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	status, answer := http.StatusUnauthorized, map[string]any{"error": "invalid_client"}
	for _, c := range p.callers {
		if r.PostFormValue("grant_type") == "client_credentials" && c.id == id && c.secret == secret {
			status = http.StatusOK
			answer = map[string]any{"access_token": p.token(c, time.Hour), "token_type": "Bearer", "expires_in": 3600}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		p.t.Error(err)
	}
}
