package runtime

import "net/http"

// Final reports whether a status is the deterministic end of a keyed request, so
// that it is recorded and replayed.
//
// 2xx is. So is a 4xx that the operation itself decided. Not so those that depend
// on who asks, when, or over which connection, since the same request may well
// succeed later: 401, 403, 408, 419, 421, 425 and 429. The document speaks of
// "deterministic terminal 4xx" without a list; this is our reading of it. 1xx,
// 3xx and 5xx are never final.
func Final(status int) bool {
	switch status {
	case http.StatusUnauthorized,
		http.StatusForbidden,
		http.StatusRequestTimeout,
		statusAuthenticationTimeout,
		http.StatusMisdirectedRequest,
		http.StatusTooEarly,
		http.StatusTooManyRequests:
		return false
	}
	return success(status) || clientError(status)
}

// notApplied reports whether a status that is not final says by itself that the
// mutation did not take place: a refusal, or a server that did not try.
func notApplied(status int) bool {
	return clientError(status) ||
		status == http.StatusNotImplemented ||
		status == http.StatusServiceUnavailable
}

func success(status int) bool     { return status >= 200 && status <= 299 }
func clientError(status int) bool { return status >= 400 && status <= 499 }
