package specimport

import (
	"regexp"
	"strings"
	"unicode"

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

// plainScalar gives a scalar its normal notation. What JSON cannot express is
// refused, except dates: OpenAPI's YAML has none, so an unquoted date is a string.
func plainScalar(n *yaml.Node, at *trail) (*yaml.Node, error) {
	switch tag := n.ShortTag(); tag {
	case strTag, timestampTag, mergeTag:
		return text(n.Value, n.Line), nil
	case nullTag:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: nullTag, Value: "null", Line: n.Line}, nil
	case boolTag, intTag, floatTag:
		natural := resolvedTag(n.Value)
		if natural != tag && (natural != intTag || tag != floatTag) {
			return nil, faultAt(n, at, "%q is not a value of the tag %s", n.Value, tag)
		}
		value := n.Value
		if natural == boolTag {
			value = strings.ToLower(value)
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: natural, Value: value, Line: n.Line}, nil
	default:
		return nil, faultAt(n, at, "the tag %s has no counterpart in JSON", tag)
	}
}

// text makes a string node that is quoted only when it must be, and then always
// in the same way.
func text(value string, line int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: strTag, Value: value, Line: line}
	switch {
	case strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }):
		n.Style = yaml.DoubleQuotedStyle
	case resolvedTag(value) != strTag || yaml11.MatchString(value):
		n.Style = yaml.SingleQuotedStyle
	}
	return n
}

// yaml11 matches strings that readers of YAML 1.1 take for booleans and base-60
// numbers. YAML 1.2, which OpenAPI asks for, does not, but such readers are common.
var yaml11 = regexp.MustCompile(`^(?:[yYnN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$`)

func resolvedTag(value string) string {
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: value}).ShortTag()
}

// describe names a value's kind for error messages.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case strTag:
		return "a string"
	case boolTag:
		return "a boolean"
	case nullTag:
		return "null"
	}
	return "a number"
}
