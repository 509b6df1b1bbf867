package specwatch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// Part is the side of an exchange that a violation is in.
type Part string

// The parts of an exchange.
const (
	Request  Part = "request"
	Response Part = "response"
)

// Violation is a point in which an exchange is not as the document says.
type Violation struct {
	// Operation is the operation's id.
	Operation string
	// Part is where it is. One in a request counts when the request succeeded.
	Part Part
	// Status is that of the response.
	Status int
	// Pointer is the place in the body, "/" for all of it, or says what else it
	// is about: "header ETag", "query page-size", "status".
	Pointer string
	// Reason is what is wrong there.
	Reason string
}

// String tells all in one line.
func (v Violation) String() string {
	return fmt.Sprintf("%s, %s (status %d), at %s: %s", v.Operation, v.Part, v.Status, v.Pointer, v.Reason)
}

// explain fills in where kin-openapi's error is, and what it says. Texts that quote
// values are left out: they may be secrets.
func (v Violation) explain(err error) Violation {
	v.Pointer, v.Reason = "/", err.Error()
	var request *openapi3filter.RequestError
	var response *openapi3filter.ResponseError
	switch {
	case errors.Is(err, openapi3filter.ErrInvalidRequired):
		v.Reason = openapi3filter.ErrInvalidRequired.Error()
	case errors.As(err, &request):
		v.Reason = request.Reason
	case errors.As(err, &response):
		v.Reason = response.Reason
	}
	var parse *openapi3filter.ParseError
	if errors.As(err, &parse) {
		v.Reason = strings.TrimPrefix(v.Reason+": "+parse.Reason, ": ")
	}
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		v.Pointer, v.Reason = place(schema, "")
	}
	if errors.As(err, &request) && request.Parameter != nil {
		v.Pointer = request.Parameter.In + " " + request.Parameter.Name
	}
	v.Reason = strings.Join(strings.Fields(v.Reason), " ")
	return v
}

// place follows a schema's error to the one cause that it has, and returns where
// that is and what it says.
func place(err *openapi3.SchemaError, above string) (pointer, reason string) {
	pointer = above + "/" + strings.Join(err.JSONPointer(), "/")
	var inner *openapi3.SchemaError
	switch {
	case errors.As(armOf(err), &inner):
		return place(inner, strings.TrimSuffix(pointer, "/"))
	case errors.As(err.Origin, &inner):
		return place(inner, above) // its pointer is from the body's root, too
	}
	return pointer, err.Reason
}

// armOf is what is wrong with a value that fits no arm of a union, by the arm that
// the discriminator names.
func armOf(err *openapi3.SchemaError) error {
	object, ok := err.Value.(map[string]any)
	if !ok || err.Schema == nil || err.Schema.Discriminator == nil || err.SchemaField != "anyOf" {
		return nil
	}
	name, _ := object[err.Schema.Discriminator.PropertyName].(string)
	for _, arm := range err.Schema.AnyOf {
		if arm.Ref == err.Schema.Discriminator.Mapping[name].Ref {
			return arm.Value.VisitJSON(object)
		}
	}
	return nil
}
