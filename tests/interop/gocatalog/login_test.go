//go:build interop

package gocatalog_test

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"
)

// secret is what somebody logs in with, as the harness names it.
func secret(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv("ONCEBERG_TEST_" + name)
	if value == "" {
		t.Fatalf("ONCEBERG_TEST_%s is not set", name)
	}
	return value
}

// TestLogin lets the client in by all that the server takes.
func TestLogin(t *testing.T) {
	t.Parallel()
	endpoint, err := url.Parse(os.Getenv("ONCEBERG_TEST_URL") + "/v1/oauth/tokens")
	if err != nil {
		t.Fatal(err)
	}
	for name, login := range map[string][]rest.Option{
		"credential": {rest.WithCredential(secret(t, "ALICE_CREDENTIAL"))},
		"scope":      {rest.WithCredential(secret(t, "ALICE_CREDENTIAL")), rest.WithScope("lake:all"), rest.WithAuthURI(endpoint)},
		"token":      {rest.WithOAuthToken(secret(t, "ALICE_TOKEN"))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, login...)
			tbl, err := newTable(t, c, in(newNamespace(t, c), "t")).AppendTable(t.Context(), rows(t, 1, 2), 1024, nil)
			if err != nil {
				t.Fatal(err)
			}
			wantIDs(t, load(t, c, tbl.Identifier()), 1, 2)
		})
	}
}

// counter counts what passes through it.
type counter struct{ n atomic.Int64 }

// RoundTrip implements http.RoundTripper.
func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return http.DefaultTransport.RoundTrip(r)
}

// TestLoginRefused holds that a refusal is one, by name, and asked for once.
func TestLoginRefused(t *testing.T) {
	t.Parallel()
	id, _, _ := strings.Cut(secret(t, "ALICE_CREDENTIAL"), ":")
	for name, c := range map[string]struct {
		login rest.Option
		want  error
		says  string
	}{
		"secret": {rest.WithCredential(id + ":guessed"), rest.ErrOAuthError, "invalid_client: The client is not known, or its secret is wrong"},
		"token":  {rest.WithOAuthToken("guessed"), rest.ErrUnauthorized, "The bearer token is not valid"},
		"none":   {rest.WithScope("nothing"), rest.ErrUnauthorized, "A bearer token is required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent := &counter{}
			_, err := rest.NewCatalog(t.Context(), "interop", os.Getenv("ONCEBERG_TEST_URL"), c.login, rest.WithCustomTransport(sent))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %v saying %q", err, c.want, c.says)
			}
			if n := sent.n.Load(); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// TestLoginRights holds what rules let bob do: list all, read open_*, read and
// write shared_*.
func TestLoginRights(t *testing.T) {
	t.Parallel()
	alice := connect(t, rest.WithOAuthToken(secret(t, "ALICE_TOKEN")))
	bob := connect(t, rest.WithCredential(secret(t, "BOB_CREDENTIAL")))
	ns := newNamespace(t, alice)
	for _, name := range []string{"open_t", "shared_t", "closed_t"} {
		if _, err := newTable(t, alice, in(ns, name)).AppendTable(t.Context(), rows(t, 1), 1024, nil); err != nil {
			t.Fatal(err)
		}
	}
	open, shared := load(t, bob, in(ns, "open_t")), load(t, bob, in(ns, "shared_t"))
	if got := ids(t, open, table.WithScanPlanningMode(table.ScanPlanningRemote)); !slices.Equal(got, []int64{1}) {
		t.Errorf("bob plans %v", got)
	}
	if _, err := shared.AppendTable(t.Context(), rows(t, 2), 1024, nil); err != nil {
		t.Errorf("bob may write shared_t: %v", err)
	}
	for what, forbidden := range map[string]func() error{
		"load":   func() error { _, err := bob.LoadTable(t.Context(), in(ns, "closed_t")); return err },
		"append": func() error { _, err := open.AppendTable(t.Context(), rows(t, 2), 1024, nil); return err },
		"drop":   func() error { return bob.DropTable(t.Context(), in(ns, "open_t")) },
		"create": func() error { _, err := bob.CreateTable(t.Context(), in(ns, "shared_u"), people); return err },
		"rename": func() error { _, err := bob.RenameTable(t.Context(), in(ns, "shared_t"), in(ns, "u")); return err },
	} {
		if err := forbidden(); !errors.Is(err, rest.ErrForbidden) {
			t.Errorf("%s: %v", what, err)
		}
	}
	wantIDs(t, load(t, alice, in(ns, "open_t")), 1)
	wantIDs(t, load(t, alice, in(ns, "shared_t")), 1, 2)
}

// TestLoginByProvider gets its token from an identity provider.
func TestLoginByProvider(t *testing.T) {
	t.Parallel()
	endpoint, err := url.Parse(secret(t, "OPENID_TOKEN_URI"))
	if err != nil {
		t.Fatal(err)
	}
	server := secret(t, "OPENID_URI")
	c, err := rest.NewCatalog(t.Context(), "interop", server, rest.WithCredential(secret(t, "ALICE_CREDENTIAL")), rest.WithAuthURI(endpoint))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	newTable(t, c, in(newNamespace(t, c), "t"))
	if _, err := rest.NewCatalog(t.Context(), "interop", server, rest.WithOAuthToken(secret(t, "EXPIRED_OPENID"))); !errors.Is(err, rest.ErrUnauthorized) {
		t.Errorf("a token that has expired: %v", err)
	}
}
