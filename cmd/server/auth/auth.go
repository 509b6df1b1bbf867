package auth

import (
	"errors"
	"log/slog"
	"time"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/cmd/server/settings"
)

// Auth knows callers and their rights. Its methods may be called from many
// goroutines.
type Auth struct {
	verifiers []verifier
	signer    *signer
	rules     *file[*Rules]
	openID    *openID
	reloads   []func() error
}

// Open reads what the settings name. now is the clock by which tokens expire; log
// takes what callers are not told.
func Open(s settings.Auth, now func() time.Time, log *slog.Logger) (*Auth, error) {
	a := &Auth{}
	switch s.Type {
	case settings.AuthTokens:
		if err := a.openTokens(s, now); err != nil {
			return nil, err
		}
	case settings.AuthOIDC:
		a.openID = newOpenID(s, now, log)
		a.verifiers = append(a.verifiers, a.openID)
	}
	if s.RulesFile != "" {
		rules, err := open("auth.rules-file", s.RulesFile, ParseRules)
		if err != nil {
			return nil, err
		}
		a.rules = rules
		a.reloads = append(a.reloads, rules.reload)
	}
	return a, nil
}

func (a *Auth) openTokens(s settings.Auth, now func() time.Time) error {
	if s.TokensFile != "" {
		static, err := open("auth.tokens-file", s.TokensFile, parseTokens)
		if err != nil {
			return err
		}
		a.verifiers = append(a.verifiers, staticTokens{static})
		a.reloads = append(a.reloads, static.reload)
	}
	if s.ClientsFile == "" {
		return nil
	}
	clients, err := open("auth.clients-file", s.ClientsFile, parseClients)
	if err != nil {
		return err
	}
	a.reloads = append(a.reloads, clients.reload)
	a.signer = &signer{clients: clients, lifetime: s.TokenLifetime, now: now}
	a.verifiers = append(a.verifiers, a.signer)
	if s.TokenKeyFile == "" {
		key := madeUp()
		a.signer.keys = func() keys { return key }
		return nil
	}
	signing, err := open("auth.token-key-file", s.TokenKeyFile, parseKeys)
	if err != nil {
		return err
	}
	a.signer.keys = signing.get
	a.reloads = append(a.reloads, signing.reload)
	return nil
}

// Authorizer is what decides about requests, nil when nothing does.
func (a *Auth) Authorizer() catalog.Authorizer {
	if a.rules == nil {
		return nil
	}
	return authorizer{a.rules}
}

// Reload reads all files again. The error names those that could not be read,
// for which what they said before still counts.
func (a *Auth) Reload() error {
	var problems []error
	for _, reload := range a.reloads {
		problems = append(problems, reload())
	}
	return errors.Join(problems...)
}

// Close gives up the connections to an issuer.
func (a *Auth) Close() {
	if a.openID != nil {
		a.openID.close()
	}
}
