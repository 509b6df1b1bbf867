package runtime

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// DefaultMaxRequestBody bounds a request body where the guard sets no limit.
const DefaultMaxRequestBody = 64 << 20

// trustedLength is up to where a Content-Length is believed before the bytes are
// there; beyond it memory grows only as they come.
const trustedLength = 1 << 20

// exchange is what the layers that serve one request share: the guard reads the
// body for its hash, the generated handler decodes the same bytes, and the
// implementation can reach them.
type exchange struct {
	op       *Operation
	maxBody  int64
	bodyRead bool
	body     []byte
	bodyErr  error
	segments []string

	// What the guard and the handler tell each other about a keyed execution.
	key        string
	takenOver  bool
	summary    []byte
	summarized bool
}

type exchangeKey struct{}

// begin starts the exchange of a request and puts it into the request's
// context.
func begin(c echo.Context, op *Operation, maxBody int64) *exchange {
	ex := &exchange{op: op, maxBody: maxBody}
	r := c.Request()
	c.SetRequest(r.WithContext(ex.within(r.Context())))
	return ex
}

// within returns the context with the exchange in it.
func (ex *exchange) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, ex)
}

func exchangeOf(ctx context.Context) *exchange {
	ex, _ := ctx.Value(exchangeKey{}).(*exchange)
	return ex
}

// RawBody returns the request body as it was sent, so that an implementation
// can keep what the document does not know. It is nil outside a generated
// handler and for operations without a body. Callers must not change it.
func RawBody(ctx context.Context) []byte {
	if ex := exchangeOf(ctx); ex != nil {
		return ex.body
	}
	return nil
}

// readBody reads the body once; later calls return the same bytes. A body over
// the limit is a 413, one in a content coding a 415.
func (ex *exchange) readBody(r *http.Request) ([]byte, error) {
	if !ex.bodyRead {
		ex.bodyRead = true
		ex.body, ex.bodyErr = readLimited(r, ex.maxBody)
	}
	return ex.body, ex.bodyErr
}

func readLimited(r *http.Request, limit int64) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return nil, nil
	}
	if coding := codingOf(r.Header); coding != "" {
		return nil, Errorf(http.StatusUnsupportedMediaType, "",
			"Request body has the content coding %q, and must be sent without one", excerpt(coding))
	}
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	if r.ContentLength > 0 && r.ContentLength <= trustedLength {
		body := make([]byte, r.ContentLength)
		if _, err := io.ReadFull(r.Body, body); err != nil {
			return nil, readFailed(err, limit)
		}
		return body, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return nil, readFailed(err, limit)
	}
	if int64(len(body)) > limit {
		return nil, tooLarge(limit)
	}
	return body, nil
}

// codingOf names the first coding that a body is sent in, empty when it is sent as
// it is. Codings are not undone, lest a small request become a large one; a body
// that claims one is refused whatever it holds.
func codingOf(header http.Header) string {
	for _, value := range header["Content-Encoding"] {
		for coding := range strings.SplitSeq(value, ",") {
			coding = strings.TrimSpace(coding)
			if coding != "" && !strings.EqualFold(coding, "identity") {
				return coding
			}
		}
	}
	return ""
}

func tooLarge(limit int64) *Error {
	return Errorf(http.StatusRequestEntityTooLarge, "", "Request body is larger than %d bytes", limit)
}

// readFailed tells a limit set by a layer above us from a client that went away
// in the middle of its body.
func readFailed(err error, limit int64) error {
	var maxBytes *http.MaxBytesError
	var fromEcho *echo.HTTPError
	switch {
	case errors.As(err, &maxBytes):
		return tooLarge(maxBytes.Limit)
	case errors.As(err, &fromEcho) && fromEcho.Code == http.StatusRequestEntityTooLarge:
		return tooLarge(limit)
	}
	e := Errorf(http.StatusBadRequest, "", "Request body could not be read to its end")
	e.Cause = err
	return e
}
