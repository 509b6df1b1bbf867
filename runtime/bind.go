package runtime

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/labstack/echo/v4"
	oapi "github.com/oapi-codegen/runtime"
)

// Parameter describes how a parameter is written, for the binding functions.
type Parameter struct {
	// Name is the parameter's name.
	Name string
	// Style and Explode are OpenAPI's.
	Style   string
	Explode bool
	// Required parameters must be there.
	Required bool
	// Type and Format are those of the parameter's schema, where it has any.
	Type, Format string
	// JSON is true when the value is a JSON text.
	JSON bool
}

// BindPath sets dest from a path parameter, decoded once. It leaves dest alone
// when the matched route does not have the parameter.
func BindPath(c echo.Context, p Parameter, dest any) error {
	value, ok, err := PathValue(c, p.Name)
	if err != nil || !ok {
		return err
	}
	if ex := exchangeOf(c.Request().Context()); ex != nil {
		ex.keepSegment(c, p.Name)
	}
	if text, isText := dest.(*string); isText {
		*text = value
		return nil
	}
	if p.JSON {
		return p.misfit("Path", value, json.Unmarshal([]byte(value), dest))
	}
	return p.misfit("Path", value, oapi.BindStyledParameterWithOptions(p.Style, p.Name, value, dest, oapi.BindStyledParameterOptions{
		ParamLocation: oapi.ParamLocationUndefined, Explode: p.Explode, Required: true, Type: p.Type, Format: p.Format,
	}))
}

// Query parses the query. Unlike http.Request it does not drop what it cannot
// parse: that is a 400.
func Query(c echo.Context) (url.Values, error) {
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		e := Errorf(http.StatusBadRequest, "", "The query is not validly encoded")
		e.Cause = err
		return nil, e
	}
	return values, nil
}

// BindQuery sets dest from a query parameter. An absent one that is required is
// a 400, and so is one that is given several times and has no place for it.
func BindQuery(query url.Values, p Parameter, dest any) error {
	values, present := query[p.Name]
	switch {
	case !present && p.Required && p.Type != "object":
		return p.missing("Query")
	case len(values) > 1 && p.Type != "array" && p.Type != "object":
		return Errorf(http.StatusBadRequest, "", "Query parameter %s is given %d times", p.Name, len(values))
	case p.JSON:
		return bindText("Query", p, values, present, dest)
	}
	return p.misfit("Query", strings.Join(values, ","), oapi.BindQueryParameterWithOptions(p.Style, p.Explode, p.Required, p.Name, query, dest,
		oapi.BindQueryParameterOptions{Type: p.Type, Format: p.Format}))
}

// BindHeader sets dest from a request header. Several fields of one name are one
// list, as RFC 9110 section 5.3 has it, and blanks around the elements of a list
// do not count.
func BindHeader(c echo.Context, p Parameter, dest any) error {
	values, present := c.Request().Header[http.CanonicalHeaderKey(p.Name)]
	if present {
		values = []string{strings.Join(values, ",")}
	}
	if present && p.Type == "array" {
		elements := strings.Split(values[0], ",")
		for i, element := range elements {
			elements[i] = strings.TrimSpace(element)
		}
		values[0] = strings.Join(elements, ",")
	}
	return bindText("Header", p, values, present, dest)
}

// BindCookie sets dest from a cookie.
func BindCookie(c echo.Context, p Parameter, dest any) error {
	cookie, err := c.Cookie(p.Name)
	if err != nil {
		return bindText("Cookie", p, nil, false, dest)
	}
	return bindText("Cookie", p, []string{cookie.Value}, true, dest)
}

func bindText(kind string, p Parameter, values []string, present bool, dest any) error {
	if !present || len(values) == 0 {
		if p.Required {
			return p.missing(kind)
		}
		return nil
	}
	target := allocate(dest)
	if p.JSON {
		return p.misfit(kind, values[0], json.Unmarshal([]byte(values[0]), target))
	}
	return p.misfit(kind, values[0], oapi.BindStyledParameterWithOptions("simple", p.Name, values[0], target, oapi.BindStyledParameterOptions{
		ParamLocation: oapi.ParamLocationHeader, Explode: p.Explode, Required: p.Required, Type: p.Type, Format: p.Format,
	}))
}

// allocate gives an optional parameter, a pointer, something to point at.
func allocate(dest any) any {
	v := reflect.ValueOf(dest)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Pointer {
		return dest
	}
	v.Elem().Set(reflect.New(v.Elem().Type().Elem()))
	return v.Elem().Interface()
}

func (p Parameter) missing(kind string) *Error {
	return Errorf(http.StatusBadRequest, "", "%s parameter %s is required", kind, p.Name)
}

// misfit says what the parameter should have been, in OpenAPI's words. The
// library's text, which may hold names of Go types, is for the log.
func (p Parameter) misfit(kind, value string, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case p.JSON:
		e = Errorf(http.StatusBadRequest, "", "%s parameter %s is not the JSON that it should be", kind, p.Name)
	case parameterTypes[p.Type] == "":
		e = Errorf(http.StatusBadRequest, "", "%s parameter %s has a bad value", kind, p.Name)
	default:
		e = Errorf(http.StatusBadRequest, "", "%s parameter %s must be %s, not %q", kind, p.Name, parameterTypes[p.Type], excerpt(value))
	}
	e.Cause = err
	return e
}

var parameterTypes = map[string]string{
	"integer": "an integer", "number": "a number", "boolean": "true or false", "array": "a list", "object": "an object",
}

// excerpt keeps a message short.
func excerpt(value string) string {
	const most = 100
	if len(value) <= most {
		return value
	}
	return strings.ToValidUTF8(value[:most], "") + "..."
}

// jsonTypeName says in JSON's words what a Go type is decoded from.
func jsonTypeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "an integer"
}
