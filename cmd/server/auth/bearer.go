package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// verifier tells whose a token is. Its errors are one of the two below, or a
// *runtime.Error to be answered as it is.
type verifier interface {
	principal(ctx context.Context, token string) (string, error)
}

// Errors of a verifier, as clients read them.
var (
	errNotValid = errors.New("the bearer token is not valid")
	errExpired  = errors.New("the bearer token has expired")
)

// Authenticate lets through who presents a token, and notes whose it is.
func (a *Auth) Authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	if len(a.verifiers) == 0 {
		return next
	}
	return func(c echo.Context) error {
		r := c.Request()
		if len(r.Header.Values(echo.HeaderAuthorization)) > 1 {
			// A proxy in front may have looked at another one than this server would.
			return runtime.Errorf(http.StatusBadRequest, "", "The header Authorization is there more than once")
		}
		token := bearer(r)
		if token == "" {
			c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
			return runtime.Errorf(http.StatusUnauthorized, "", "A bearer token is required")
		}
		principal, err := a.principal(r.Context(), token)
		if err != nil {
			return refusal(c, err)
		}
		c.SetRequest(r.WithContext(runtime.WithPrincipal(r.Context(), principal)))
		return next(c)
	}
}

// principal asks one verifier after the other. That a token has expired says
// more than that another verifier does not know it.
func (a *Auth) principal(ctx context.Context, token string) (string, error) {
	refused := errNotValid
	for _, v := range a.verifiers {
		principal, err := v.principal(ctx, token)
		if err == nil {
			return principal, nil
		}
		if !errors.Is(err, errNotValid) || !errors.Is(refused, errExpired) {
			refused = err
		}
	}
	return "", refused
}

// refusal answers a token that was not taken, without quoting it.
func refusal(c echo.Context, err error) error {
	var answer *runtime.Error
	if errors.As(err, &answer) {
		return answer
	}
	c.Response().Header().Set(echo.HeaderWWWAuthenticate, `Bearer error="invalid_token"`)
	message := "The bearer token is not valid"
	if errors.Is(err, errExpired) {
		message = "The bearer token has expired"
	}
	refused := runtime.Errorf(http.StatusUnauthorized, "", "%s", message)
	refused.Cause = err
	return refused
}

// bearer is the token of RFC 6750 section 2.1, empty when there is none.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
