package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

// DecodeJSON reads the request body into dest and reports whether there was one.
// Before, it holds the body against a shape; an empty name checks nothing.
//
// A missing body that is required, a body of another media type, one that is not
// valid JSON in UTF-8, one with a second value behind the first, one that would
// decode to other text than was sent, and one that does not fit dest are *Errors
// of status 400, 413 or 415 that name the field.
func DecodeJSON(c echo.Context, shapes Shapes, shape string, required bool, dest any) (present bool, err error) {
	body, err := requestBody(c, required)
	if err != nil || body == nil {
		return false, err
	}
	if err := wantJSON(c.Request()); err != nil {
		return false, err
	}
	if !utf8.Valid(body) {
		return false, Errorf(http.StatusBadRequest, "", "Request body is not valid UTF-8")
	}
	if !json.Valid(body) {
		return false, invalidJSON(body)
	}
	if halfSurrogate(body) {
		return false, Errorf(http.StatusBadRequest, "", "Request body holds an escape for half a character, such as \\ud800 alone")
	}
	text, err := shapes.Check(shape, body)
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(text, dest); err != nil {
		return false, misfit(err)
	}
	return true, nil
}

// Body returns the request body as a reader, for media types that are passed on
// as they are. A missing body that is required is a 400.
func Body(c echo.Context, required bool) (io.Reader, error) {
	body, err := requestBody(c, required)
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(body), nil
}

// HasMediaType reports whether the request's body is of a media type. Parameters
// such as a charset do not matter.
func HasMediaType(c echo.Context, want string) bool {
	base, _, _ := strings.Cut(want, ";")
	return strings.EqualFold(mediaType(c.Request()), strings.TrimSpace(base))
}

// UnsupportedMediaType is the error for a body of none of the declared types.
func UnsupportedMediaType(c echo.Context) error {
	return Errorf(http.StatusUnsupportedMediaType, "", "Request body has the media type %q, which this operation does not take", mediaType(c.Request()))
}

func requestBody(c echo.Context, required bool) ([]byte, error) {
	ex := exchangeOf(c.Request().Context())
	if ex == nil { // a handler called around the guard, in a test for instance
		ex = begin(c, &Operation{}, DefaultMaxRequestBody)
	}
	body, err := ex.readBody(c.Request())
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		if required {
			return nil, Errorf(http.StatusBadRequest, "", "Request body is required")
		}
		return nil, nil
	}
	return body, nil
}

func mediaType(r *http.Request) string {
	base, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil {
		return strings.ToLower(strings.TrimSpace(r.Header.Get(echo.HeaderContentType)))
	}
	return base
}

// wantJSON lets a body without a media type pass, since it may well be JSON.
func wantJSON(r *http.Request) error {
	got := mediaType(r)
	if got == "" || got == echo.MIMEApplicationJSON || strings.HasSuffix(got, "+json") {
		return nil
	}
	return Errorf(http.StatusUnsupportedMediaType, "", "Request body must be %s, not %s", echo.MIMEApplicationJSON, got)
}

func invalidJSON(body []byte) error {
	var any json.RawMessage
	err := json.Unmarshal(body, &any)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return Errorf(http.StatusBadRequest, "", "Request body is not valid JSON: %s at byte %d", syntax.Error(), syntax.Offset)
	}
	return Errorf(http.StatusBadRequest, "", "Request body is not valid JSON")
}

// misfit names the field and the type wanted, without the names of Go types.
func misfit(err error) error {
	e := Errorf(http.StatusBadRequest, "", "Request body does not fit the operation")
	e.Cause = err
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return e
	}
	field := "Request body"
	if wrong.Field != "" {
		field = "Field /" + strings.ReplaceAll(wrong.Field, ".", "/")
	}
	value, literal, _ := strings.Cut(wrong.Value, " ")
	if wanted := jsonTypeName(wrong.Type); wanted == "an integer" && value == "number" && !strings.ContainsAny(literal, ".eE") {
		e.Message = field + " is out of range"
	} else {
		e.Message = field + " must be " + wanted + ", not " + withArticle[value]
	}
	return e
}

// withArticle words what encoding/json calls the kinds of values.
var withArticle = map[string]string{"bool": "a boolean", "number": "a number", "string": "a string", "array": "an array", "object": "an object"}

// DecodeText reads a body of plain text into dest, with the rules of DecodeJSON
// but for the media type, which is not looked at.
func DecodeText(c echo.Context, required bool, dest *string) (present bool, err error) {
	body, err := requestBody(c, required)
	if err != nil || body == nil {
		return false, err
	}
	*dest = string(body)
	return true, nil
}
