package runtime

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

// DecodeForm reads an application/x-www-form-urlencoded body into dest, with the
// rules of DecodeJSON: the form is taken as the JSON object that its shape says
// it stands for. What the shape does not describe is text.
func DecodeForm(c echo.Context, shapes Shapes, shape string, required bool, dest any) (present bool, err error) {
	body, err := requestBody(c, required)
	if err != nil || body == nil {
		return false, err
	}
	if got := mediaType(c.Request()); got != "" && got != echo.MIMEApplicationForm {
		return false, Errorf(http.StatusUnsupportedMediaType, "", "Request body must be %s, not %s", echo.MIMEApplicationForm, got)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return false, Errorf(http.StatusBadRequest, "", "Request body is not a valid form")
	}
	text, err := shapes.form(shape, form)
	if err != nil {
		return false, err
	}
	if text, err = shapes.Check(shape, text); err != nil {
		return false, err
	}
	if err := json.Unmarshal(text, dest); err != nil {
		return false, misfit(err)
	}
	return true, nil
}

// form writes a form as a JSON object.
func (s Shapes) form(name string, form url.Values) ([]byte, error) {
	shape := s[name]
	if variant, ok := shape.Variants[form.Get(shape.Discriminator)]; ok && shape.Discriminator != "" {
		shape = s[variant]
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i, field := range slices.Sorted(maps.Keys(form)) {
		if i > 0 {
			out.WriteByte(',')
		}
		member, known := shape.Members[field]
		if !known {
			member = shape.Values
		}
		out.Write(jsonText(field))
		out.WriteByte(':')
		for _, value := range append(form[field], field) {
			if !utf8.ValidString(value) {
				return nil, Errorf(http.StatusBadRequest, "", "Request body is not valid UTF-8")
			}
		}
		s.formField(&out, member, form[field])
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// formField writes the values of one name: a list where the shape is one or
// where there are several.
func (s Shapes) formField(out *bytes.Buffer, name string, values []string) {
	shape := s[name]
	if shape.NullOr != "" {
		shape = s[shape.NullOr]
	}
	if list := shape.Types&JSONArray != 0; !list && len(values) == 1 {
		out.Write(shape.formValue(values[0]))
		return
	}
	elements := s[shape.Items]
	out.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(elements.formValue(value))
	}
	out.WriteByte(']')
}

// formValue is a value as JSON: a number, a boolean or an object where the shape
// admits it and the text is one, else a string.
func (s Shape) formValue(text string) []byte {
	if s.Types != 0 && s.Types&JSONString == 0 && json.Valid([]byte(text)) {
		if in := (scanner{text: []byte(text)}); s.admits(in.kind()) {
			return []byte(text)
		}
	}
	return jsonText(text)
}

func jsonText(text string) []byte {
	quoted, _ := json.Marshal(text) // a string always has a JSON form
	return quoted
}
