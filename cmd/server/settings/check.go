package settings

import (
	"errors"
	"fmt"
	"regexp"
)

var isLocation = regexp.MustCompile(`^(/|file:/|[A-Za-z][A-Za-z0-9+.-]*://[^/])`)

// check finds keys that do not go together.
func (s *Settings) check() error {
	i, a := &s.Idempotency, &s.Auth
	var problems []error
	for _, rule := range []struct {
		broken bool
		key    string
		text   string
	}{
		{s.TLS.Cert != "" && s.TLS.Key == "", "tls.key", "is needed with tls.cert"},
		{s.TLS.Key != "" && s.TLS.Cert == "", "tls.cert", "is needed with tls.key"},
		{a.Type == AuthTokens && a.TokensFile == "" && a.ClientsFile == "", "auth.tokens-file", "or auth.clients-file is needed with auth.type tokens"},
		{a.Type != AuthTokens && a.TokensFile != "", "auth.type", "must be tokens for auth.tokens-file to count"},
		{a.Type != AuthTokens && a.ClientsFile != "", "auth.type", "must be tokens for auth.clients-file to count"},
		{a.ClientsFile == "" && a.TokenKeyFile != "", "auth.clients-file", "is needed for auth.token-key-file to count"},
		{a.Type == AuthOIDC && a.OIDC.Issuer == "", "auth.oidc.issuer", "is needed with auth.type oidc"},
		{a.Type == AuthOIDC && a.OIDC.Audience == "", "auth.oidc.audience", "is needed with auth.type oidc"},
		{a.Type == AuthOIDC && a.OIDC.PrincipalClaim == "", "auth.oidc.principal-claim", "must name a claim"},
		{
			a.Type != AuthOIDC && a.OIDC.Issuer+a.OIDC.Audience+a.OIDC.JWKSURL != "", "auth.type",
			"must be oidc for the keys of auth.oidc to count",
		},
		{i.Lease > i.KeyLifetime+i.Grace, "idempotency.lease", fmt.Sprintf(
			"must not be longer than idempotency.key-lifetime plus idempotency.grace; %s says %s",
			s.origin("idempotency.lease"), span{to: &i.Lease})},
		{
			s.Catalog.Warehouse != "" && !isLocation.MatchString(s.Catalog.Warehouse), "catalog.warehouse",
			"must be an absolute path or a URI such as s3://bucket/path",
		},
		{s.DataFolder == "", "data-folder", "must name a folder"},
	} {
		if rule.broken {
			problems = append(problems, fmt.Errorf("%s %s", rule.key, rule.text))
		}
	}
	return errors.Join(problems...)
}
