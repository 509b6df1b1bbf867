package runtime

import (
	"net/http"
	"strings"
)

// oauthBody is an error response of RFC 6749 section 5.2.
type oauthBody struct {
	Error       string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

func oauthError(e *Error) oauthBody {
	return oauthBody{Error: oauthCode(e), Description: strings.Map(oauthText, e.Message)}
}

// oauthCode keeps a code that the handler chose as the error's type and derives
// one from the status otherwise. Section 5.2 has no code for a failing server, so
// the two that section 4.1.2.1 has stand in.
func oauthCode(e *Error) string {
	switch e.Type {
	case "invalid_request", "invalid_client", "invalid_grant",
		"unauthorized_client", "unsupported_grant_type", "invalid_scope":
		return e.Type
	}
	switch {
	case e.Status == http.StatusUnauthorized:
		return "invalid_client"
	case e.Status == http.StatusForbidden:
		return "unauthorized_client"
	case e.Status == http.StatusServiceUnavailable:
		return "temporarily_unavailable"
	case e.Status >= http.StatusInternalServerError:
		return "server_error"
	}
	return "invalid_request"
}

// oauthText keeps a description within the characters that section 5.2 allows.
func oauthText(r rune) rune {
	switch {
	case r == '"' || r == '\\':
		return '\''
	case r < ' ' || r > '~':
		return '?'
	}
	return r
}
