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
		err = json.Unmarshal([]byte(value), dest)
	} else {
		err = oapi.BindStyledParameterWithOptions(p.Style, p.Name, value, dest, oapi.BindStyledParameterOptions{
			ParamLocation: oapi.ParamLocationUndefined, Explode: p.Explode, Required: true, Type: p.Type, Format: p.Format,
		})
	}
	return parameterError("Path", p.Name, err)
}

// Query parses the query. Unlike http.Request it does not drop what it cannot
// parse: that is a 400.
func Query(c echo.Context) (url.Values, error) {
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	return values, parameterError("Query", "", err)
}

// BindQuery sets dest from a query parameter. An absent one that is required is
// a 400.
func BindQuery(query url.Values, p Parameter, dest any) error {
	if p.JSON {
		values, present := query[p.Name]
		return bindText("Query", p, values, present, dest)
	}
	err := oapi.BindQueryParameterWithOptions(p.Style, p.Explode, p.Required, p.Name, query, dest,
		oapi.BindQueryParameterOptions{Type: p.Type, Format: p.Format})
	return parameterError("Query", p.Name, err)
}

// BindHeader sets dest from a request header. Several fields of one name are one
// list, as RFC 9110 section 5.3 has it.
func BindHeader(c echo.Context, p Parameter, dest any) error {
	values, present := c.Request().Header[http.CanonicalHeaderKey(p.Name)]
	if present {
		values = []string{strings.Join(values, ",")}
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
			return Errorf(http.StatusBadRequest, "", "%s parameter %s is required", kind, p.Name)
		}
		return nil
	}
	target := allocate(dest)
	var err error
	if p.JSON {
		err = json.Unmarshal([]byte(values[0]), target)
	} else {
		err = oapi.BindStyledParameterWithOptions("simple", p.Name, values[0], target, oapi.BindStyledParameterOptions{
			ParamLocation: oapi.ParamLocationHeader, Explode: p.Explode, Required: p.Required, Type: p.Type, Format: p.Format,
		})
	}
	return parameterError(kind, p.Name, err)
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

// parameterError keeps the library's text, which may hold Go type names, for the
// log.
func parameterError(kind, name string, err error) error {
	if err == nil {
		return nil
	}
	e := Errorf(http.StatusBadRequest, "", "%s parameter %s is missing or has a bad value", kind, name)
	if name == "" {
		e.Message = "The query is not validly encoded"
	}
	e.Cause = err
	return e
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
