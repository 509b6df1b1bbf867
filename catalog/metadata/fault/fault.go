// Package fault names the ways in which metadata can be wrong, so that whoever speaks HTTP can answer each one rightly
// without reading error texts.
//
// The kinds are those that Iceberg clients tell apart. The difference matters beyond politeness: a Java client deletes
// the manifests of a failed commit after some answers and keeps them after others, and it tries again after
// [CommitFailed] alone. The texts are part of the contract too; compatibility kits compare them.
package fault

import (
	"errors"
	"fmt"
	"net/http"
)

// Kind says what went wrong.
type Kind int

const (
	// Invalid is a request that can never succeed: 400 BadRequestException.
	Invalid Kind = iota + 1
	// IllegalArgument is Invalid too, but of the sort that Java's reference reports as its own
	// IllegalArgumentException, with status 400. A client keeps the files of a commit on it.
	IllegalArgument
	// CommitFailed is a commit that met a state other than it was made for: 409 CommitFailedException. The client
	// refreshes, rebuilds and tries again.
	CommitFailed
	// NotFound is a metadata file that is not where its catalog entry says: 404 NotFoundException.
	NotFound
	// Unsupported is what this catalog does not do: 406 UnsupportedOperationException.
	Unsupported
	// Unavailable is storage that cannot be reached or refuses: 503 ServiceUnavailableException. Nothing was changed.
	Unavailable
	// Denied is storage to which this server has no right: 500 InternalServerException. Nothing was changed. It is no
	// 403, which would speak of the client's rights, no 400, on which a client deletes what it wrote for a commit, and
	// no 503, since coming back does not help.
	Denied
)

// Error is a fault with the text a client shows. It may wrap a cause, which Error() does not repeat.
type Error struct {
	Kind    Kind
	Message string
	cause   error
}

// Error returns the text for the client.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Type returns the value of "type" in Iceberg's error body.
func (k Kind) Type() string {
	switch k {
	case IllegalArgument:
		return "IllegalArgumentException"
	case CommitFailed:
		return "CommitFailedException"
	case NotFound:
		return "NotFoundException"
	case Unsupported:
		return "UnsupportedOperationException"
	case Unavailable:
		return "ServiceUnavailableException"
	case Denied:
		return "InternalServerException"
	case Invalid:
	}
	return "BadRequestException"
}

// Status returns the HTTP status.
func (k Kind) Status() int {
	switch k {
	case CommitFailed:
		return http.StatusConflict
	case NotFound:
		return http.StatusNotFound
	case Unsupported:
		return http.StatusNotAcceptable
	case Unavailable:
		return http.StatusServiceUnavailable
	case Denied:
		return http.StatusInternalServerError
	case Invalid, IllegalArgument:
	}
	return http.StatusBadRequest
}

// New returns a fault of a kind. The format and arguments are fmt.Errorf's; an error given to %w becomes the cause.
func New(kind Kind, format string, args ...any) error {
	formatted := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: formatted.Error(), cause: errors.Unwrap(formatted)}
}

// Because returns a fault whose cause the client is not told.
func Because(cause error, kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...), cause: cause}
}

// Is tells whether err is, or wraps, a fault of that kind.
func Is(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}
