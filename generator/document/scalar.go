package document

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The tags that JSON's data model knows, and the two that plain YAML text can
// resolve to besides.
const (
	mapTag       = "!!map"
	seqTag       = "!!seq"
	strTag       = "!!str"
	boolTag      = "!!bool"
	intTag       = "!!int"
	floatTag     = "!!float"
	nullTag      = "!!null"
	mergeTag     = "!!merge"
	timestampTag = "!!timestamp"
)

// scalar reads a value in the way of JSON. What JSON cannot express is refused,
// except dates: OpenAPI's YAML has none, so an unquoted date is a string.
func scalar(y *yaml.Node, p Pointer) (*Node, *Error) {
	n := &Node{Kind: String, Text: y.Value, Line: y.Line, Column: y.Column}
	switch tag := y.ShortTag(); tag {
	case strTag, timestampTag, mergeTag:
		return n, nil
	case nullTag:
		n.Kind, n.Text = Null, ""
		return n, nil
	case boolTag, intTag, floatTag:
		natural := naturalTag(y.Value)
		if natural != tag && (natural != intTag || tag != floatTag) {
			return nil, faultAt(y, p, "%q is not a value of the tag %s", y.Value, tag)
		}
		if natural == boolTag {
			n.Kind, n.Text = Bool, strings.ToLower(y.Value)
			return n, nil
		}
		text, ok := jsonNumber(y.Value)
		if !ok {
			return nil, faultAt(y, p, "JSON has no number %s", y.Value)
		}
		n.Kind, n.Text = Number, text
		return n, nil
	default:
		return nil, faultAt(y, p, "the tag %s has no counterpart in JSON", tag)
	}
}

// naturalTag is the tag that plain text resolves to.
func naturalTag(text string) string {
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag()
}

var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// jsonNumber spells a YAML number as JSON does; most are spelled alike, and then
// every digit stays. Infinities and NaN have no spelling.
func jsonNumber(text string) (string, bool) {
	if plainNumber.MatchString(text) {
		return text, true
	}
	if i, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64); err == nil {
		return strconv.FormatInt(i, 10), true
	}
	var f float64
	if err := (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).Decode(&f); err != nil || f-f != 0 {
		return "", false
	}
	return strconv.FormatFloat(f, 'g', -1, 64), true
}
