//go:build interop

package interop

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/tests/interop/report"
)

// logins starts a server that knows callers, and one that knows those of an
// identity provider, and returns the first one with what clients have to know, by
// name.
func logins(t *testing.T, r run) (server, map[string]string) {
	t.Helper()
	callers := everybody()
	p := newProvider(t, callers)
	facts := map[string]string{
		"openid-uri": knownBy(t, r, p).url, "openid-token-uri": p.url,
		"expired-openid": p.token(callers[0], -time.Hour),
	}
	for _, c := range callers {
		facts[c.name+"-token"], facts[c.name+"-credential"] = c.token, c.credential()
		facts[c.name+"-openid"] = p.token(c, time.Hour)
	}
	return known(t, r, callers), facts
}

// loginStories runs our stories about callers with Apache's client.
func loginStories(ctx context.Context, t *testing.T, r run) ([]report.Test, error) {
	s, facts := logins(t, r)
	r.server = s
	properties := map[string]string{}
	for name, value := range facts {
		properties["interop."+name] = value
	}
	return junit(ctx, t, r, properties, append(selectors(ours+"LoginTest", nil), selectors(ours+"RightsTest", nil)...)...)
}

// withLogins runs a suite on the server that knows callers, with what has to be
// known in its environment.
func withLogins(suite func(context.Context, *testing.T, run) ([]report.Test, error)) func(context.Context, *testing.T, run) ([]report.Test, error) {
	return func(ctx context.Context, t *testing.T, r run) ([]report.Test, error) {
		s, facts := logins(t, r)
		r.server = s
		for name, value := range facts {
			r.env = append(r.env, "ONCEBERG_TEST_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+value)
		}
		return suite(ctx, t, r)
	}
}
