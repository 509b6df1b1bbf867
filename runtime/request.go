package runtime

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// Request is what the hooks of a Config see of a request. It is valid during the
// call only.
type Request struct {
	// Operation is the operation the request is for.
	Operation *Operation
	// Principal is the caller's name, empty when nobody was authenticated.
	Principal string

	c  echo.Context
	ex *exchange
}

func newRequest(c echo.Context, ex *exchange) *Request {
	return &Request{
		Operation: ex.op,
		Principal: Principal(c.Request().Context()),
		c:         c,
		ex:        ex,
	}
}

// HTTP returns the request itself. Its body may have been read already; use Body.
func (r *Request) HTTP() *http.Request { return r.c.Request() }

// PathValue returns a decoded path parameter; see the function of that name.
func (r *Request) PathValue(name string) (value string, ok bool, err error) {
	return PathValue(r.c, name)
}

// RawPathValue returns a path parameter as it was sent; see the function of that
// name.
func (r *Request) RawPathValue(name string) string {
	raw, _ := rawSegment(r.c, name)
	return raw
}

// Query returns the first value of a query parameter, empty without one.
func (r *Request) Query(name string) string { return r.c.QueryParam(name) }

// Body reads the request body when it is first asked for. Handlers still get it.
// Callers must not change it. A body over the limit is a 413,
// one in a content coding a 415.
func (r *Request) Body() ([]byte, error) { return r.ex.readBody(r.c.Request()) }
