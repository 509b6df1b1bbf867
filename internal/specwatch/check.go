package specwatch

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3filter"
)

// exchange is a request and its response, with their bodies.
type exchange struct {
	request  *http.Request
	sent     []byte
	status   int
	header   http.Header
	received []byte
}

var options = openapi3filter.Options{
	IncludeResponseStatus:             true,
	RejectWhenRequestBodyNotSpecified: true,
	SkipSettingDefaults:               true,
	AuthenticationFunc:                openapi3filter.NoopAuthenticationFunc,
}

// Bodies beyond these limits are not looked into. kin-openapi takes twice as long
// for each level of a schema that contains itself, and tries all types of every
// value in a list; such bodies are tests of depth and size, and not of form.
const (
	maxDepth = 12
	maxSize  = 32 << 10
)

func tooMuch(body []byte) bool { return len(body) > maxSize || depth(body) > maxDepth }

// depth is how deep a JSON text is nested. Braces in strings count, too.
func depth(text []byte) int {
	deepest, now := 0, 0
	for _, c := range text {
		switch c {
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
}

// check returns what is not as the document says.
func (b *book) check(ctx context.Context, x exchange) []Violation {
	route, parameters := b.find(x.request)
	if route == nil {
		return nil
	}
	options := options
	options.ExcludeRequestBody = tooMuch(x.sent)
	options.ExcludeResponseBody = tooMuch(x.received)
	request := x.request.Clone(ctx)
	request.Body, request.GetBody = io.NopCloser(bytes.NewReader(x.sent)), nil
	request.ContentLength = int64(len(x.sent))
	input := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, Route: route, Options: &options,
	}
	found := Violation{Operation: route.Operation.OperationID, Part: Request, Status: x.status}
	var all []Violation
	if err := openapi3filter.ValidateRequest(ctx, input); err != nil && x.status < http.StatusBadRequest {
		all = append(all, found.explain(err))
	}
	found.Part = Response
	if route.Operation.Responses.Status(x.status) == nil {
		found.Pointer, found.Reason = "status", "the operation does not declare it"
		return append(all, found)
	}
	err := openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: x.status, Header: x.header, Options: &options,
		Body: io.NopCloser(bytes.NewReader(x.received)),
	})
	if err != nil {
		all = append(all, found.explain(err))
	}
	return all
}
