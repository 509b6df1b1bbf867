package runtime

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// PathValue returns one path parameter of the request, decoded once by the form
// rules that Iceberg's clients encode with: a plus is a space. The second result
// is false when the matched route has no such parameter, as with an optional
// prefix that was left out. A segment that is no valid encoding is a 400.
func PathValue(c echo.Context, name string) (value string, ok bool, err error) {
	raw, ok := rawSegment(c, name)
	if !ok {
		return "", false, nil
	}
	value, err = url.QueryUnescape(raw)
	if err != nil {
		return "", true, Errorf(http.StatusBadRequest, "", "Path parameter %s is not validly encoded: %q", name, raw)
	}
	return value, true, nil
}

// RawPathValue returns the segment of a path parameter as it was sent, before
// decoding. An implementation needs it to split a namespace on a separator that
// a level may itself contain. It is empty outside a generated handler and when
// the route has no such parameter.
func RawPathValue(ctx context.Context, name string) string {
	ex := exchangeOf(ctx)
	if ex == nil {
		return ""
	}
	for i := 0; i+1 < len(ex.segments); i += 2 {
		if ex.segments[i] == name {
			return ex.segments[i+1]
		}
	}
	return ""
}

// rawSegment finds a parameter by its place: the route's template and the raw
// path have the same number of segments, as an encoded slash is not one yet.
// Echo's own parameter values are of no use here, since it matches on the
// decoded path whenever that has the same default encoding, and a value that may
// or may not be decoded already cannot be decoded right.
func rawSegment(c echo.Context, name string) (string, bool) {
	template, raw := c.Path(), rawPath(c.Request())
	for {
		want, restOfTemplate, moreTemplate := strings.Cut(template, "/")
		got, restOfRaw, moreRaw := strings.Cut(raw, "/")
		if strings.HasPrefix(want, ":") && want[1:] == name {
			return got, true
		}
		if !moreTemplate || !moreRaw {
			return "", false
		}
		template, raw = restOfTemplate, restOfRaw
	}
}

// fitsRoute reports whether the request's path has as many segments as the
// matched route. Echo lets a parameter at the end of a route take all that is
// left, slashes included, so that a path no operation has would be served as if
// its tail were not there.
func fitsRoute(c echo.Context) bool {
	return strings.Count(c.Path(), "/") == strings.Count(rawPath(c.Request()), "/")
}

// rawPath is the path as it came over the wire. net/url leaves RawPath empty
// when it is the default encoding of Path, which EscapedPath then restores; a
// RawPath it would call invalid is still the client's own text.
func rawPath(r *http.Request) string {
	if r.URL.RawPath != "" {
		return r.URL.RawPath
	}
	return r.URL.EscapedPath()
}

// keepSegment remembers a raw segment for RawPathValue.
func (ex *exchange) keepSegment(c echo.Context, name string) {
	if raw, ok := rawSegment(c, name); ok {
		ex.segments = append(ex.segments, name, raw)
	}
}
