package specwatch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

var options = openapi3filter.Options{
	IncludeResponseStatus:             true,
	RejectWhenRequestBodyNotSpecified: true,
	SkipSettingDefaults:               true,
	AuthenticationFunc:                openapi3filter.NoopAuthenticationFunc,
}

// check returns what is not as the document says. Most exchanges are in order, and
// kin-openapi writes down why each arm of a union does not fit before it comes to
// the one that does; so it is asked first without reasons.
func (b *book) check(ctx context.Context, x exchange) []Violation {
	route, parameters := b.find(x.request)
	if route == nil {
		return b.checkUnknown(x)
	}
	request := x.request.Clone(ctx)
	options := options
	options.ExcludeRequestBody, options.ExcludeResponseBody = large(x.sent), large(x.received)
	c := checker{exchange: x, input: &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, Route: route, Options: &options,
	}}
	options.SchemaValidationOptions = []openapi3.SchemaValidationOption{openapi3.FailFast()}
	if len(c.check(ctx)) == 0 {
		return nil
	}
	options.SchemaValidationOptions = nil
	return c.check(ctx)
}

// checker holds an exchange of an operation against the document.
type checker struct {
	exchange
	input *openapi3filter.RequestValidationInput
}

func (c checker) check(ctx context.Context) (all []Violation) {
	op := c.input.Route.Operation
	found := Violation{Operation: op.OperationID, Part: Request, Status: c.status}
	// A refused request is excused; what it is refused with is not. An error of the
	// server's is no refusal.
	if c.status/100 != 4 && !c.unsent {
		if err := c.checkRequest(ctx); err != nil {
			all = append(all, found.explain(err))
		}
	}
	found.Part = Response
	if op.Responses.Status(c.status) == nil {
		found.Pointer, found.Reason = "status", "the operation does not declare it"
		return append(all, found)
	}
	if err := c.checkResponse(ctx); err != nil {
		all = append(all, found.explain(err))
	}
	return all
}

func (c checker) checkRequest(ctx context.Context) error {
	request := c.input.Request
	request.Body, request.GetBody = io.NopCloser(bytes.NewReader(c.sent)), nil
	request.ContentLength = int64(len(c.sent))
	if err := openapi3filter.ValidateRequest(ctx, c.input); err != nil || !c.input.Options.ExcludeRequestBody {
		return err
	}
	body := c.input.Route.Operation.RequestBody
	if body == nil {
		return errUnspecified
	}
	return checkLarge(body.Value.Content, request.Header, c.sent, c.input.Options.SchemaValidationOptions)
}

func (c checker) checkResponse(ctx context.Context) error {
	err := openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: c.input, Status: c.status, Header: c.header, Options: c.input.Options,
		Body: io.NopCloser(bytes.NewReader(c.received)),
	})
	if err != nil || !c.input.Options.ExcludeResponseBody {
		return err
	}
	declared := c.input.Route.Operation.Responses.Status(c.status).Value.Content
	return checkLarge(declared, c.header, c.received, c.input.Options.SchemaValidationOptions)
}

// checkUnknown is about requests for which the document has no operation. Beside
// /v1 a server may have what it likes; there, it must refuse them, and by an error
// as the document has it everywhere.
func (b *book) checkUnknown(x exchange) []Violation {
	if !strings.HasPrefix(rawPath(x.request), "/v1/") {
		return nil
	}
	found := Violation{Operation: "no operation", Part: Response, Status: x.status, Pointer: "status"}
	if x.status < http.StatusBadRequest {
		found.Reason = "what the document does not have is not refused"
		return []Violation{found}
	}
	if x.request.Method == http.MethodHead {
		return nil
	}
	if err := checkLarge(b.refusal, x.header, x.received, nil); err != nil {
		return []Violation{found.explain(err)}
	}
	return nil
}
