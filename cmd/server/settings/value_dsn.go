package settings

import (
	"net/url"
	"strings"

	"github.com/onceberg/onceberg/store/sqlstore"
)

// dsn names a database, or is empty. It may hold a password.
type dsn struct{ to *string }

func (v dsn) form() string { return "DSN" }

func (v dsn) set(s string) error {
	if s != "" {
		if _, err := sqlstore.DatabaseOf(s); err != nil {
			return mustBe("a DSN: " + err.Error())
		}
	}
	*v.to = s
	return nil
}

// String keeps what helps to see which database is meant.
func (v dsn) String() string {
	s := *v.to
	if u, err := url.Parse(s); err == nil && u.Host != "" {
		return maskUserInfo(s)
	}
	scheme, _, _ := strings.Cut(s, ":")
	at := strings.LastIndex(s, "@")
	switch {
	case s == "", scheme == "sqlite", scheme == "file", s == ":memory:":
		path, _, _ := strings.Cut(s, "?")
		return path
	case at < 0 && strings.Contains(s, ":") && !strings.Contains(scheme, "("): // a URL without a host
		return scheme + ":" + masked
	case at < 0: // tcp(host)/database
		database, _, _ := strings.Cut(s, "?")
		return database
	}
	// user:password@tcp(host)/database, or a URL that does not parse. A
	// password may hold any character, @ and ? too.
	user, _, _ := strings.Cut(s[:at], ":")
	rest, _, _ := strings.Cut(s[at:], "?")
	return user + ":" + masked + rest
}

// maskUserInfo masks a URL's password, and drops its query, in which some
// drivers take one too.
func maskUserInfo(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return masked
	}
	u.RawQuery, u.Fragment = "", ""
	return u.Redacted()
}
