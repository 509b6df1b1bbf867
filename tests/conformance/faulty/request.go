package faulty

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// request is what a key can be bound to.
type request struct {
	principal, method, path, query, body string

	sent []byte // the body as it came
}

// reader reads the body once more.
func (r request) reader() io.ReadCloser { return io.NopCloser(bytes.NewReader(r.sent)) }

// readRequest reads the request, and lets the body be read again.
func readRequest(r *http.Request, principal string) (request, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return request{}, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return request{
		principal: principal, method: r.Method, path: r.URL.EscapedPath(),
		query: r.URL.Query().Encode(), body: canonical(body), sent: body,
	}, nil
}

// whole binds a key to everything.
func (r request) whole() string {
	return strings.Join([]string{r.principal, r.method, r.path, r.query, r.body}, "\n")
}

// canonical is a body in which members are in order, for a client that sends a
// map again may send it in another one.
func canonical(body []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return string(body)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return string(body)
	}
	return string(text)
}
