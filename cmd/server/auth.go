package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/runtime"
)

// tokens maps the SHA-256 of a bearer token to its principal. The server never
// has the tokens themselves but for the time of a request.
type tokens map[[sha256.Size]byte]string

// readTokens reads a file with a line for each token: its SHA-256 in
// hexadecimal and its principal, which is the rest of the line. Empty lines and
// lines that begin with # do not count. Errors name the line and quote nothing.
func readTokens(path string) (tokens, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("auth.tokens-file: %w", err)
	}
	defer file.Close()
	known := tokens{}
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := known.add(line); err != nil {
			return nil, fmt.Errorf("auth.tokens-file: %s:%d: %w", path, number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("auth.tokens-file: %s: %w", path, err)
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("auth.tokens-file: %s has no token", path)
	}
	return known, nil
}

func (t tokens) add(line string) error {
	digest, principal, _ := strings.Cut(line, " ")
	principal = strings.TrimSpace(principal)
	sum, err := hex.DecodeString(digest)
	switch {
	case err != nil || len(sum) != sha256.Size:
		return fmt.Errorf("the line does not begin with a SHA-256 in hexadecimal and a space")
	case principal == "":
		return fmt.Errorf("the token has no principal")
	}
	key := [sha256.Size]byte(sum)
	if _, twice := t[key]; twice {
		return fmt.Errorf("the token is there twice")
	}
	t[key] = principal
	return nil
}

// authenticator returns what stands in front of every catalog call.
func authenticator(s *settings.Settings) (echo.MiddlewareFunc, error) {
	if s.Auth.Type == settings.AuthNone {
		return func(next echo.HandlerFunc) echo.HandlerFunc { return next }, nil
	}
	known, err := readTokens(s.Auth.TokensFile)
	if err != nil {
		return nil, err
	}
	return known.authenticate, nil
}

// authenticate lets through who presents a token, and notes whose it is.
func (t tokens) authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		principal, ok := t[sha256.Sum256([]byte(bearer(r)))]
		if !ok {
			c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
			return runtime.Errorf(http.StatusUnauthorized, "", "A valid bearer token is required")
		}
		c.SetRequest(r.WithContext(runtime.WithPrincipal(r.Context(), principal)))
		return next(c)
	}
}

// bearer is the token of RFC 6750 section 2.1, empty when there is none.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
