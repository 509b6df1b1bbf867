package settings

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/store/sqlstore"
)

var isLocation = regexp.MustCompile(`^(/|file:/|[A-Za-z][A-Za-z0-9+.-]*://[^/])`)

// rule is about keys that do not go together.
type rule struct {
	broken    bool
	key, text string
}

// check finds keys that do not go together.
func (s *Settings) check() error {
	i, a := &s.Idempotency, &s.Auth
	return broken(slices.Concat(s.databaseRules(), s.locationRules(), []rule{
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
			catalog.CheckSeparator(s.Catalog.NamespaceSeparator) != nil, "catalog.namespace-separator",
			fmt.Sprintf("must be URL-encoded text without a letter, a digit or a slash; %s says %q",
				s.origin("catalog.namespace-separator"), s.Catalog.NamespaceSeparator),
		},
		{s.DataFolder == "", "data-folder", "must name a folder"},
	}))
}

// databaseRules are about the keys of databases. One that would be passed over is
// broken: who sets it believes that nodes share a database, or that it is another.
func (s *Settings) databaseRules() []rule {
	i := &s.Idempotency
	catalogs, records := s.Catalog.SQL.User+s.Catalog.SQL.Password, i.SQL.User+i.SQL.Password
	return []rule{
		{
			isSQLite(s.CatalogDSN()) && catalogs != "", "catalog.dsn",
			"must be of PostgreSQL or MySQL for catalog.user and catalog.password to count",
		},
		{
			i.StoreType != StoreSQL && i.SQL.DSN+records != "", "idempotency.store-type",
			"must be sql for the keys of idempotency.sql to count",
		},
		{
			i.StoreType == StoreSQL && (i.SQL.DSN == "" || isSQLite(i.SQL.DSN)) && records != "", "idempotency.sql.dsn",
			"must be of PostgreSQL or MySQL for idempotency.sql.user and idempotency.sql.password to count",
		},
	}
}

// locationRules are about where tables may be.
func (s *Settings) locationRules() []rule {
	const form = "must be an absolute path or a URI such as s3://bucket/path"
	var rules []rule
	if w := s.Catalog.Warehouse; w != "" {
		rules = append(rules, rule{!isLocation.MatchString(w) || files.NewStore(nil).Confine(w) != nil, "catalog.warehouse", form})
	}
	for _, l := range s.Catalog.Locations {
		err := files.NewStore(nil).Confine(l)
		rules = append(rules, rule{err != nil, "catalog.locations", fmt.Sprintf("%s each, or *: %v", form, err)})
	}
	return rules
}

func broken(rules []rule) error {
	var problems []error
	for _, r := range rules {
		if r.broken {
			problems = append(problems, fmt.Errorf("%s %s", r.key, r.text))
		}
	}
	return errors.Join(problems...)
}

func isSQLite(dsn string) bool {
	kind, err := sqlstore.DatabaseOf(dsn)
	return err == nil && kind == "sqlite"
}
