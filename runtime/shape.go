package runtime

import "strings"

// Shapes are the schemas that request bodies are checked against before they
// are decoded, by name. Generated code holds one table per package; it is never
// changed.
//
// A check covers what decoding into Go types cannot see: a required member that
// is missing, a null where none is allowed, an element of the wrong type deep in
// a union that is not decoded, a discriminator value that the document does not
// know. Enumerations and ranges are left to the implementation.
type Shapes map[string]Shape

// Shape is one schema. Names refer to other shapes of the same table; an empty
// name or one the table lacks stands for "anything".
type Shape struct {
	// Types are the JSON types admitted; zero admits all.
	Types JSONType
	// Required members must be present, and not null unless their shape admits
	// it. Any other member may be null, which stands for absent.
	Required []string
	// Members gives the shape of every member that has a name.
	Members map[string]string
	// Items is the shape of array elements, Values that of members without a
	// name.
	Items, Values string
	// Open is true when members without a name are data as well, and are kept
	// by their names.
	Open bool
	// NullOr names the shape of every value but null, which is admitted. Nothing
	// else is set then.
	NullOr string
	// Discriminator is the member whose value picks a shape from Variants.
	Discriminator string
	Variants      map[string]string
}

// JSONType is a set of JSON types.
type JSONType uint8

// The JSON types. An integer is a number written without fraction and exponent.
const (
	JSONNull JSONType = 1 << iota
	JSONBoolean
	JSONInteger
	JSONNumber
	JSONString
	JSONArray
	JSONObject
)

var jsonTypeNames = []string{"null", "a boolean", "an integer", "a number", "a string", "an array", "an object"}

// String reads "a string or null".
func (t JSONType) String() string {
	var names []string
	for i, name := range jsonTypeNames {
		if t&(1<<i) != 0 && i > 0 {
			names = append(names, name)
		}
	}
	if t&JSONNull != 0 {
		names = append(names, "null")
	}
	return strings.Join(names, " or ")
}

// Check holds a JSON text against the shape of that name. The text must be
// valid JSON. The error is a 400 *Error that names the member by its JSON
// pointer.
//
// A member whose name differs from a known one in case alone is unknown, and is
// to be ignored as others are; but encoding/json would take it for the known
// one. Check returns the text without such members, for decoding;
// it is the text itself when there are none.
func (s Shapes) Check(name string, text []byte) (decodable []byte, err error) {
	if name == "" {
		return text, nil
	}
	c := checker{shapes: s, in: scanner{text: text}, ahead: 64*len(text) + 64<<10}
	if err := c.value(name, true); err != nil {
		return nil, err
	}
	return c.decodable(), nil
}
