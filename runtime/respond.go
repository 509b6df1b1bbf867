package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// ErrorHandler answers an error of the router, of a middleware or of a handler
// in Iceberg's form, {"error":{"message","type","code"}} with code equal to the
// status; set it as Echo's HTTPErrorHandler. Operations that speak OAuth get the
// form of RFC 6749 section 5.2. An answer to HEAD has no body. A response that
// has begun is left alone.
//
// A path that no route matches is a 400, not a 404: Iceberg's clients take a 404
// with a type for a missing warehouse, namespace or table. An Error and an
// echo.HTTPError keep their status, and nothing of any other error reaches the
// client. The log has the rest; ErrorHandlerTo says which.
func ErrorHandler(err error, c echo.Context) { ErrorHandlerTo(slog.Default())(err, c) }

// ErrorHandlerTo returns an ErrorHandler that logs to log what clients are not told.
func ErrorHandlerTo(log *slog.Logger) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		if !c.Response().Committed {
			var op *Operation
			if ex := exchangeOf(c.Request().Context()); ex != nil {
				op = ex.op
			}
			answerError(c, op, err, log)
		}
	}
}

// answerError writes err as the whole response; op is nil where no operation is
// known.
func answerError(c echo.Context, op *Operation, err error, log *slog.Logger) {
	r, w := c.Request(), c.Response()
	e := explain(err, op, r)
	logError(r.Context(), log, op, r, e)
	header := w.Header()
	for _, stale := range []string{"Content-Length", "ETag", "Etag", "Location"} {
		delete(header, stale)
	}
	if e.RetryAfter > 0 {
		header["Retry-After"] = []string{retrySeconds(e.RetryAfter)}
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(e.Status)
		return
	}
	header["Content-Type"] = []string{"application/json"}
	w.WriteHeader(e.Status)
	// A client that is gone cannot be told so.
	_, _ = w.Write(errorBody(op, e))
}

// explain turns any error into the one the client gets, with an error status and
// a type.
func explain(err error, op *Operation, r *http.Request) *Error {
	e, known := asError(err)
	if !known {
		e = foreignError(err, op, r)
	}
	answer := *e
	if e.Cause == nil && error(e) != err { //nolint:errorlint // is err more than e itself?
		answer.Cause = err
	}
	if e.Status < http.StatusBadRequest || e.Status > 599 {
		answer.Status = http.StatusInternalServerError
	}
	if e.Type == "" {
		answer.Type = typeFor(op, answer.Status)
	}
	return &answer
}

// typeFor names the type of an error that has none: where the document says that
// the state of a commit can be unknown, these three statuses mean just that.
func typeFor(op *Operation, status int) string {
	if op != nil && op.StateUnknown {
		switch status {
		case http.StatusInternalServerError, http.StatusBadGateway, http.StatusGatewayTimeout:
			return TypeStateUnknown
		}
	}
	return TypeForStatus(status)
}

// foreignError words an error that is not ours.
func foreignError(err error, op *Operation, r *http.Request) *Error {
	var fromEcho *echo.HTTPError
	var maxBytes *http.MaxBytesError
	switch {
	case errors.As(err, &fromEcho):
		return fromHTTPError(fromEcho, op, r)
	case errors.As(err, &maxBytes):
		return tooLarge(maxBytes.Limit)
	}
	return &Error{Status: http.StatusInternalServerError, Message: "Internal server error", Cause: err}
}

// noRoute is the answer to a path that no operation has. It is a 400, since
// Iceberg's Java client takes a typed 404 of GET /v1/config for a missing
// warehouse.
func noRoute(r *http.Request) *Error {
	return Errorf(http.StatusBadRequest, "", "No route for request: %s %s", r.Method, r.URL.Path)
}

func fromHTTPError(err *echo.HTTPError, op *Operation, r *http.Request) *Error {
	e := &Error{Status: err.Code, Message: http.StatusText(err.Code), Cause: err}
	switch {
	case err.Code == http.StatusNotFound && op == nil:
		return noRoute(r)
	case err.Code == http.StatusMethodNotAllowed:
		e.Message = fmt.Sprintf("Method not allowed: %s %s", r.Method, r.URL.Path)
	case err.Code < http.StatusInternalServerError:
		if text, ok := err.Message.(string); ok {
			e.Message = text
		}
	}
	return e
}

// errorBody encodes an error the way the operation's clients read it.
func errorBody(op *Operation, e *Error) []byte {
	if op != nil && op.OAuthErrors {
		return encodeJSON(oauthError(e))
	}
	type model struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Code    int    `json:"code"`
	}
	return encodeJSON(map[string]model{"error": {e.Message, e.TypeName(), e.Status}})
}

// encodeJSON leaves <, > and & as they are: messages quote names, and this is no
// HTML. What it is given cannot fail to encode.
func encodeJSON(value any) []byte {
	text, _ := marshal(value)
	return text
}

// retrySeconds words a duration for Retry-After: whole seconds, rounded up, at
// least one.
func retrySeconds(d time.Duration) string {
	seconds := (d + time.Second - 1) / time.Second
	return strconv.FormatInt(int64(max(seconds, 1)), 10)
}

// logError reports what the client is not told: a failure of ours at error
// level, the reason of any other refusal at debug level. What is cut short because
// the client hung up is no failure of ours.
func logError(ctx context.Context, log *slog.Logger, op *Operation, r *http.Request, e *Error) {
	level := slog.LevelDebug
	if e.Status >= http.StatusInternalServerError && e.Status != http.StatusNotImplemented &&
		(e.Cause != nil || e.Status == http.StatusInternalServerError) && !hungUp(ctx, e) {
		level = slog.LevelError
	}
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.Int("status", e.Status),
		slog.String("type", e.TypeName()),
		slog.String("message", e.Message),
	}
	if op != nil {
		attrs = append(attrs, slog.String("operation", op.ID))
	}
	if e.Cause != nil {
		attrs = append(attrs, slog.Any("cause", e.Cause))
	}
	var p *panicError
	if errors.As(e.Cause, &p) {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	log.LogAttrs(ctx, level, "request failed", attrs...)
}

// hungUp reports whether an error is what became of a request whose client left.
func hungUp(ctx context.Context, e *Error) bool {
	return errors.Is(ctx.Err(), context.Canceled) && errors.Is(e.Cause, context.Canceled)
}

// panicError is a handler's panic on its way to becoming a 500.
type panicError struct {
	value any
	stack []byte
}

func newPanicError(value any) *panicError {
	return &panicError{value: value, stack: debug.Stack()}
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }
