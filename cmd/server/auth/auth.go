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
	rolls     []roll
	log       *slog.Logger
}

// roll is a file that lists who is let in.
type roll struct {
	key, path string
	size      func() int
}

// Open reads what the settings name. now is the clock by which tokens expire; log
// takes what callers are not told.
func Open(s settings.Auth, now func() time.Time, log *slog.Logger) (*Auth, error) {
	a := &Auth{log: log}
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
	a.warnOfEmpty()
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
		a.rolls = append(a.rolls, roll{static.key, static.path, func() int { return len(static.get()) }})
	}
	if s.ClientsFile == "" {
		return nil
	}
	clients, err := open("auth.clients-file", s.ClientsFile, parseClients)
	if err != nil {
		return err
	}
	a.reloads = append(a.reloads, clients.reload)
	a.rolls = append(a.rolls, roll{clients.key, clients.path, func() int { return len(clients.get()) }})
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
	a.warnOfEmpty()
	return errors.Join(problems...)
}

// warnOfEmpty tells of files that let nobody in. That is how the last token is
// revoked, and so no error; but it may as well be a file that was lost.
func (a *Auth) warnOfEmpty() {
	for _, r := range a.rolls {
		if r.size() == 0 {
			a.log.Warn("a file lists nobody, so that nobody gets in by it", slog.String("key", r.key), slog.String("file", r.path))
		}
	}
}

// Close gives up the connections to an issuer.
func (a *Auth) Close() {
	if a.openID != nil {
		a.openID.close()
	}
}
