package rawjson

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Node is a decoded JSON value for comparing: map[string]Node, []Node, string, bool, or json.Number, whose digits are
// kept. A null is an absent member.
type Node = any

// Decode returns the value as a tree for comparing and null members left out.
func Decode(text Value) (Node, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var node Node
	if err := decoder.Decode(&node); err != nil {
		return nil, err
	}
	dropNulls(node)
	return node, nil
}

func dropNulls(node Node) {
	switch node := node.(type) {
	case map[string]any:
		maps.DeleteFunc(node, func(_ string, member any) bool { return member == nil })
		for _, member := range node {
			dropNulls(member)
		}
	case []any:
		for _, element := range node {
			dropNulls(element)
		}
	}
}

// Same tells whether two trees from Decode are equal: members in any order, elements in their order, numbers by their
// digits.
func Same(a, b Node) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, Same)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Same)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}
