package specimport

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entry is a key of an object with its value and its place in the output.
type entry struct {
	key, value *yaml.Node
	rank       int
}

// strip returns the facts of an object of the given kind, in normal order.
func strip(k kind, n *yaml.Node, at *trail) (*yaml.Node, error) {
	if k == schema && n.Tag == boolTag {
		return n, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, faultAt(n, at, "expected an object (%s), found %s", k, describe(n))
	}
	var entries []entry
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		p, known := placeOf(k, key.Value)
		value, err := n.Content[i+1], error(nil)
		if known {
			value, err = apply(p.rule, n, value, at.to(key.Value))
		} else {
			value = unlisted(key.Value, value)
		}
		if err != nil {
			return nil, err
		}
		if value != nil {
			entries = append(entries, entry{key, value, p.rank})
		}
	}
	if k == response && child(n, "$ref") == nil && child(n, "description") == nil {
		entries = append(entries, entry{text("description", n.Line), text("", n.Line), places[response]["description"].rank})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.rank, b.rank) })
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: mapTag, Line: n.Line}
	for _, e := range entries {
		out.Content = append(out.Content, e.key, e.value)
	}
	return out, nil
}

// placeOf finds the rule of a key. Extensions, and keys that the grammar does
// not know, come last.
func placeOf(k kind, key string) (place, bool) {
	if p, listed := places[k][key]; listed {
		return p, true
	}
	if rest := grammar[k].rest; rest != nil && !strings.HasPrefix(key, "x-") {
		return place{*rest, math.MaxInt - 1}, true
	}
	return place{rank: math.MaxInt}, false
}

// apply returns what a rule leaves of a value, nil for nothing.
func apply(r rule, parent, n *yaml.Node, at *trail) (*yaml.Node, error) {
	switch r.form {
	case one:
		return strip(r.of, n, at)
	case each:
		return stripEach(r.of, n, at)
	case named:
		return stripNamed(n, at, func(value *yaml.Node, at *trail) (*yaml.Node, error) { return strip(r.of, value, at) })
	case blanked:
		return stripNamed(n, at, func(value *yaml.Node, _ *trail) (*yaml.Node, error) { return text("", value.Line), nil })
	case empty:
		if child(parent, "$ref") != nil {
			return nil, nil
		}
		return text("", n.Line), nil
	case label:
		if child(parent, "const") == nil {
			return nil, nil
		}
		return n, nil
	default:
		return n, nil
	}
}

func stripEach(k kind, n *yaml.Node, at *trail) (*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, faultAt(n, at, "expected a list (each item: %s), found %s", k, describe(n))
	}
	out := &yaml.Node{Kind: yaml.SequenceNode, Tag: seqTag, Line: n.Line}
	for i, item := range n.Content {
		kept, err := strip(k, item, at.toItem(i))
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, kept)
	}
	return out, nil
}

func stripNamed(n *yaml.Node, at *trail, each func(*yaml.Node, *trail) (*yaml.Node, error)) (*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, faultAt(n, at, "expected an object, found %s", describe(n))
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: mapTag, Line: n.Line}
	for i := 0; i < len(n.Content); i += 2 {
		kept, err := each(n.Content[i+1], at.to(n.Content[i].Value))
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, n.Content[i], kept)
	}
	return out, nil
}

// child returns the value of an object's key, nil when there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
