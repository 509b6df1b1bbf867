package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Target is a server to be tested, and how a client reaches it.
type Target struct {
	// URL is what clients are configured with: all that comes before "/v1".
	URL string
	// Warehouse is sent to GET /v1/config, when it is not empty.
	Warehouse string
	// Prefix overrides the prefix that the server's configuration names.
	Prefix string
	// Token is a bearer token.
	Token string
	// SecondToken is a token of somebody else, with the same rights. The cases
	// that need two principals are skipped without it. One that the server does not
	// know is an error.
	SecondToken string
	// OAuth are the credentials for which a token is fetched when there is no
	// Token.
	OAuth *OAuth
	// Header is sent with every request.
	Header http.Header
}

// OAuth are OAuth 2 client credentials.
type OAuth struct {
	// URL is the token endpoint; empty means the server's own,
	// /v1/oauth/tokens.
	URL string
	// ClientID and ClientSecret identify the client.
	ClientID, ClientSecret string
	// Scope is asked for; empty means "catalog".
	Scope string
}

// check refuses a target that nothing can be sent to.
func (t Target) check() error {
	u, err := url.Parse(t.URL)
	switch {
	case t.URL == "":
		return errors.New("conformance: the target has no URL")
	case err != nil:
		return fmt.Errorf("conformance: the target's URL: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("conformance: the target's URL must begin with http:// or https:// and a host: %q", u.Redacted())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("conformance: the target's URL must have no user, query or fragment: %q", u.Redacted())
	case t.SecondToken != "" && t.SecondToken == t.Token:
		return errors.New("conformance: the second token is the first one; it must be somebody else's")
	}
	return nil
}

// base is the target's URL without the slash that may end it, nor the "/v1" that
// people add.
func (t Target) base() string {
	return strings.TrimSuffix(strings.TrimRight(t.URL, "/"), "/v1")
}
