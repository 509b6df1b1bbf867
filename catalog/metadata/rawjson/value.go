package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// AsInt64 reads a JSON integer. A number with a fraction or an exponent, a string and a number that does not fit are
// errors: ids are never rounded.
func AsInt64(text Value) (int64, error) {
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("expected an integer, got %s", brief(text))
	}
	return n, nil
}

// AsInt32 reads a JSON integer that fits 32 bits, the size of Iceberg's schema, spec, order and field ids.
func AsInt32(text Value) (int, error) {
	n, err := AsInt64(text)
	if err != nil {
		return 0, err
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		return 0, fmt.Errorf("expected an integer of 32 bits, got %s", brief(text))
	}
	return int(n), nil
}

// AsString reads a JSON string.
func AsString(text Value) (string, error) {
	if kindOf(text) != '"' {
		return "", fmt.Errorf("expected a string, got %s", brief(text))
	}
	return unquote(bytes.TrimSpace(text))
}

// AsBool reads a JSON boolean.
func AsBool(text Value) (bool, error) {
	switch string(bytes.TrimSpace(text)) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("expected true or false, got %s", brief(text))
}

// AsArray splits a JSON array into its elements' texts.
func AsArray(text Value) ([]Value, error) {
	if kindOf(text) != '[' {
		return nil, fmt.Errorf("expected an array, got %s", brief(text))
	}
	elements := []Value{}
	err := eachElement(text, func(value []byte) { elements = append(elements, value) })
	if err != nil {
		return nil, err
	}
	return elements, nil
}

// AsArrayOf reads a JSON array with one reader for all elements. The error names the element.
func AsArrayOf[T any](text Value, read func(Value) (T, error)) ([]T, error) {
	elements, err := AsArray(text)
	if err != nil {
		return nil, err
	}
	out := make([]T, 0, len(elements))
	for i, element := range elements {
		value, err := read(element)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		out = append(out, value)
	}
	return out, nil
}

// AsStrings checks that the text is an object whose values are all strings, and splits it.
func AsStrings(text Value) (*Object, error) {
	object, err := Split(text)
	if err != nil {
		return nil, fmt.Errorf("expected an object, got %s", brief(text))
	}
	for i, key := range object.keys {
		if kindOf(object.values[i]) != '"' {
			return nil, fmt.Errorf("expected a string for key %q, got %s", key, brief(object.values[i]))
		}
	}
	return object, nil
}

// Member finds one member of an object without splitting the whole. It returns nil when there is none or it is null.
// Of members with the same name the last one counts.
func Member(text Value, key string) Value {
	quoted := OfString(key)
	var found Value
	err := eachMember(text, func(name, value []byte) bool {
		if bytes.Equal(name, quoted) || isEscaped(name, key) {
			found = value
		}
		return true
	})
	if err != nil || isNull(found) {
		return nil
	}
	return found
}

// OfString returns a string as JSON. Only what JSON demands is escaped.
func OfString(s string) Value {
	if plain(s) {
		return append(append(append(make(Value, 0, len(s)+2), '"'), s...), '"')
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	// A string always encodes.
	_ = encoder.Encode(s)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// OfInt returns an integer as JSON.
func OfInt[N ~int | ~int64](n N) Value { return strconv.AppendInt(nil, int64(n), 10) }

// OfList returns an array of the given texts.
func OfList(elements []Value) Value {
	size := 2
	for _, element := range elements {
		size += len(element) + 1
	}
	text := append(make(Value, 0, size), '[')
	for i, element := range elements {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, element...)
	}
	return append(text, ']')
}

// kindOf returns the first byte of a value, which tells its kind, or 0 for empty text.
func kindOf(text []byte) byte {
	if i := skipSpace(text, 0); i < len(text) {
		return text[i]
	}
	return 0
}

func isNull(text []byte) bool {
	return len(text) == 0 || string(bytes.TrimSpace(text)) == "null"
}

func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// isEscaped tells whether a quoted name is another spelling of the key, with needless escapes.
func isEscaped(quoted []byte, key string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return false
	}
	name, err := unquote(quoted)
	return err == nil && name == key
}

func unquote(quoted []byte) (string, error) {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1]), nil
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return "", errors.New("a malformed string")
	}
	return s, nil
}

// brief shortens a value for an error message.
func brief(text []byte) string {
	const most = 40
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return "nothing"
	}
	if len(text) > most {
		return string(bytes.ToValidUTF8(text[:most], nil)) + "..."
	}
	return string(text)
}
