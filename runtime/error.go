package runtime

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Error types that onceberg itself answers with. The others are named after
// Iceberg's own exceptions; see TypeForStatus.
const (
	// TypeKeyReused marks a key that was sent with another request before. The
	// document gives 422 another meaning on updateProperties, so reuse has a
	// type of its own.
	TypeKeyReused = "IdempotencyKeyReusedException"
	// TypeInProgress marks a request whose first attempt still runs.
	TypeInProgress = "IdempotencyKeyInProgressException"
	// TypeStateUnknown tells a client that its commit may or may not have been
	// applied; Iceberg clients keep the files of the commit then.
	TypeStateUnknown = "CommitStateUnknownException"
)

// Error is an answer in Iceberg's error form. Handlers return one, wrapped or
// not, to choose status, type and message; any other error becomes a 500 whose
// text stays in the log.
type Error struct {
	// Status is the HTTP status and the code in the body.
	Status int
	// Type is the exception name that clients tell errors apart by. Empty means
	// TypeForStatus(Status).
	Type string
	// Message goes to the client.
	Message string
	// RetryAfter is sent as Retry-After in whole seconds, rounded up; zero sends
	// none.
	RetryAfter time.Duration
	// NotApplied says of a 5xx that the mutation certainly did not take place,
	// so that the key may be used again as if for the first time. 501 and 503
	// say so by themselves.
	NotApplied bool
	// Cause is the reason, for the log alone.
	Cause error
}

// Errorf builds an Error whose message follows fmt.Sprintf. An empty typ means
// TypeForStatus(status).
func Errorf(status int, typ, format string, args ...any) *Error {
	return &Error{Status: status, Type: typ, Message: fmt.Sprintf(format, args...)}
}

// Error gives the message with status and type.
func (e *Error) Error() string {
	text := fmt.Sprintf("%d %s: %s", e.Status, e.TypeName(), e.Message)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// TypeName returns the type as it goes on the wire.
func (e *Error) TypeName() string {
	if e.Type != "" {
		return e.Type
	}
	return TypeForStatus(e.Status)
}

// NotImplemented is what an operation without an implementation answers: 501,
// the one status that Iceberg's clients read as "unsupported".
func NotImplemented(op *Operation) *Error {
	return Errorf(http.StatusNotImplemented, "", "Operation is not supported by this server: %s", op.ID)
}

// TypeForStatus returns the exception name that goes with a status when nothing
// more is known.
func TypeForStatus(status int) string {
	if name, ok := typeNames[status]; ok {
		return name
	}
	if status >= http.StatusInternalServerError {
		return "InternalServerException"
	}
	return "BadRequestException"
}

var typeNames = map[int]string{
	http.StatusUnauthorized:          "NotAuthorizedException",
	http.StatusForbidden:             "ForbiddenException",
	http.StatusNotFound:              "NotFoundException",
	http.StatusMethodNotAllowed:      "MethodNotAllowedException",
	http.StatusNotAcceptable:         "UnsupportedOperationException",
	http.StatusRequestTimeout:        "RequestTimeoutException",
	http.StatusConflict:              "ConflictException",
	http.StatusRequestEntityTooLarge: "PayloadTooLargeException",
	http.StatusUnsupportedMediaType:  "UnsupportedMediaTypeException",
	statusAuthenticationTimeout:      "AuthenticationTimeoutException",
	http.StatusUnprocessableEntity:   "UnprocessableEntityException",
	http.StatusTooManyRequests:       "TooManyRequestsException",
	http.StatusNotImplemented:        "UnsupportedOperationException",
	http.StatusServiceUnavailable:    "ServiceUnavailableException",
}

// statusAuthenticationTimeout is Iceberg's 419, which net/http has no name for.
const statusAuthenticationTimeout = 419

// asError finds the Error in err's chain.
func asError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}
