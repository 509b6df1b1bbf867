package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Reasons to stop resending; errors.Is finds them in an Error. The request's
// context ending is another, context.Canceled or context.DeadlineExceeded; the
// latter also when the next attempt would have come after the deadline.
var (
	// ErrAttempts means that Options.MaxAttempts are used up.
	ErrAttempts = errors.New("all attempts are used up")
	// ErrLifetime means that the key would be older than the lifetime that the
	// server advertises when it is sent again, so that the server might have
	// forgotten it and execute the request a second time.
	ErrLifetime = errors.New("the key's lifetime ends before the next attempt")
)

// ErrBodyTooLarge means that a request was not sent, because its body could not be
// sent twice: it has no GetBody and is larger than Options.MaxBuffer.
var ErrBodyTooLarge = errors.New("the request's body is too large to be kept for resending")

var errDeadline = fmt.Errorf("the deadline comes before the next attempt: %w", context.DeadlineExceeded)

// Error ends a keyed request that no answer has settled. http.Client returns it
// inside a *url.Error, where errors.As finds it.
//
// One case escapes: when http.Client.Timeout ends while an attempt is under way,
// http.Client keeps only the text. A deadline in the request's context does not
// have that fault.
type Error struct {
	// Operation is the operation's id in the table.
	Operation string
	// Key is the Idempotency-Key. Until its lifetime is over the same request
	// may be sent with it again. Empty when the request did not get one.
	Key string
	// Attempts is how often the request was sent; 0 means that it was not. What
	// net/http sent by itself, over another connection when one broke, is not
	// counted; it can only be more.
	Attempts int
	// StateUnknown is true when the mutation may have been applied. A caller must
	// then neither delete what the mutation refers to nor repeat it with another
	// key. When false, none of these attempts was applied.
	StateUnknown bool
	// Reason is why there was no further attempt. Nil when Cause is the reason.
	Reason error
	// Cause is what the last attempt came to: a *StatusError, or the error in
	// place of an answer.
	Cause error
}

// Error tells everything but the request itself.
func (e *Error) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "client: %s", e.Operation)
	if e.Key != "" {
		fmt.Fprintf(&text, ", key %s,", e.Key)
	}
	if e.Attempts == 0 {
		text.WriteString(" was not sent")
	} else {
		fmt.Fprintf(&text, " is unsettled after %d attempt", e.Attempts)
		if e.Attempts > 1 {
			text.WriteByte('s')
		}
	}
	if e.StateUnknown {
		text.WriteString(" and may have been applied")
	}
	if e.Reason != nil && !errors.Is(e.Cause, e.Reason) {
		fmt.Fprintf(&text, "; %v", e.Reason)
	}
	fmt.Fprintf(&text, ": %v", e.Cause)
	return text.String()
}

// Unwrap returns Reason and Cause.
func (e *Error) Unwrap() []error {
	if e.Reason == nil {
		return []error{e.Cause}
	}
	return []error{e.Reason, e.Cause}
}

// Timeout reports whether the request's deadline ended it, for url.Error.Timeout.
func (e *Error) Timeout() bool { return errors.Is(e, context.DeadlineExceeded) }

// StatusError is an answer that settled nothing.
type StatusError struct {
	// Status is the HTTP status.
	Status int
	// Type and Message are those of Iceberg's error form, empty when the answer
	// did not have it.
	Type, Message string
	// Foreign is true when the answer is not of the form that a catalog's has, so
	// that something on the way may have made it.
	Foreign bool
}

// Error gives the status with type and message.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the answer was %d", e.Status)
	if e.Type != "" {
		text += " " + e.Type
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Foreign {
		text += ", not in Iceberg's form"
	}
	return text
}
