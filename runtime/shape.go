package runtime

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Shapes are the schemas that request bodies are checked against before they
// are decoded, by name. Generated code holds one table per package; it is never
// changed.
//
// A check covers what decoding into Go types cannot see: a required member that
// is missing, a null where none is allowed, a discriminator value that the
// document does not know. Types of values are left to the decoding.
type Shapes map[string]Shape

// Shape is one schema. Names refer to other shapes of the same table; an empty
// name or one the table lacks stands for "anything".
type Shape struct {
	// Required members must be present, and not null unless also in Nullable.
	Required, Nullable []string
	// Members gives the shape of a member.
	Members map[string]string
	// Items is the shape of array elements, Values that of a map's members.
	Items, Values string
	// All names shapes that apply as well.
	All []string
	// Discriminator is the member whose value picks a shape from Variants.
	Discriminator string
	Variants      map[string]string
}

// Check holds a JSON value against the shape of that name. The error is a 400
// *Error that names the member by its JSON pointer. The value must be valid
// JSON.
func (s Shapes) Check(name string, value []byte) error {
	return s.check(name, value, "")
}

func (s Shapes) check(name string, value json.RawMessage, at string) error {
	shape, ok := s[name]
	if !ok || isNull(value) {
		return nil
	}
	for _, other := range shape.All {
		if err := s.check(other, value, at); err != nil {
			return err
		}
	}
	switch firstByte(value) {
	case '{':
		return s.checkObject(shape, value, at)
	case '[':
		return s.checkArray(shape, value, at)
	}
	if len(shape.Required) > 0 || shape.Discriminator != "" {
		return badField(at, "must be an object")
	}
	return nil
}

func (s Shapes) checkObject(shape Shape, value json.RawMessage, at string) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return badField(at, "must be an object")
	}
	for _, name := range shape.Required {
		member, present := members[name]
		switch {
		case !present:
			return badField(at+pointerStep(name), "is required")
		case isNull(member) && !slices.Contains(shape.Nullable, name):
			return badField(at+pointerStep(name), "is required and must not be null")
		}
	}
	for name, member := range members {
		inner, known := shape.Members[name]
		if !known {
			inner = shape.Values
		}
		if err := s.check(inner, member, at+pointerStep(name)); err != nil {
			return err
		}
	}
	return s.checkVariant(shape, members, value, at)
}

func (s Shapes) checkVariant(shape Shape, members map[string]json.RawMessage, value json.RawMessage, at string) error {
	if shape.Discriminator == "" {
		return nil
	}
	field := at + pointerStep(shape.Discriminator)
	member, present := members[shape.Discriminator]
	if !present {
		return badField(field, "is required")
	}
	var which string
	if err := json.Unmarshal(member, &which); err != nil {
		return badField(field, "must be a string")
	}
	variant, known := shape.Variants[which]
	if !known {
		return badField(field, "has the unknown value "+strconv.Quote(which))
	}
	return s.check(variant, value, at)
}

func (s Shapes) checkArray(shape Shape, value json.RawMessage, at string) error {
	if shape.Items == "" {
		return nil
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(value, &elements); err != nil {
		return badField(at, "must be an array")
	}
	for i, element := range elements {
		if err := s.check(shape.Items, element, at+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return nil
}

func badField(at, problem string) *Error {
	if at == "" {
		return Errorf(http.StatusBadRequest, "", "Request body %s", problem)
	}
	return Errorf(http.StatusBadRequest, "", "Field %s %s", at, problem)
}

func pointerStep(name string) string { return "/" + pointerEscape.Replace(name) }

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

func isNull(value []byte) bool { return bytes.Equal(bytes.TrimSpace(value), []byte("null")) }

func firstByte(value []byte) byte {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) == 0 {
		return 0
	}
	return value[0]
}
