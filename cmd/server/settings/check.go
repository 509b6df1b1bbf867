package settings

import (
	"errors"
	"fmt"
	"regexp"
)

var isLocation = regexp.MustCompile(`^(/|file:/|[A-Za-z][A-Za-z0-9+.-]*://[^/])`)

// check finds keys that do not go together.
func (s *Settings) check() error {
	i := &s.Idempotency
	var problems []error
	for _, rule := range []struct {
		broken bool
		key    string
		text   string
	}{
		{s.TLS.Cert != "" && s.TLS.Key == "", "tls.key", "is needed with tls.cert"},
		{s.TLS.Key != "" && s.TLS.Cert == "", "tls.cert", "is needed with tls.key"},
		{s.Auth.Type == AuthTokens && s.Auth.TokensFile == "", "auth.tokens-file", "is needed with auth.type tokens"},
		{s.Auth.Type == AuthNone && s.Auth.TokensFile != "", "auth.type", "must be tokens for auth.tokens-file to count"},
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
