package specimport

import (
	"go.yaml.in/yaml/v3"
)

// Limits that no interface document comes near. The first keeps nested aliases
// (each list naming the one before twice) from filling the memory; what stands in
// the document itself is not counted, however large it is.
const (
	maxAliased = 100_000
	maxDepth   = 250
)

// resolver copies a parsed tree into a plain one: no aliases, no merge keys, no
// comments, every key a string and unique, every scalar in its normal notation.
type resolver struct {
	open    map[*yaml.Node]bool // collections on the way from the root, to see circles
	inAlias bool
	aliased int // values that aliases stood for
}

func resolve(root *yaml.Node) (*yaml.Node, error) {
	r := &resolver{open: map[*yaml.Node]bool{}}
	return r.node(root, nil)
}

func (r *resolver) node(n *yaml.Node, at *trail) (*yaml.Node, error) {
	if r.inAlias {
		r.aliased++
	}
	if r.aliased > maxAliased {
		return nil, faultAt(n, at, "the document's aliases stand for more than %d values", maxAliased)
	}
	if at.level() > maxDepth {
		return nil, faultAt(n, at, "the document is nested deeper than %d levels", maxDepth)
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return plainScalar(n, at)
	case yaml.AliasNode:
		return r.alias(n, at)
	}
	r.open[n] = true
	defer delete(r.open, n)
	if n.Kind == yaml.MappingNode {
		return r.mapping(n, at)
	}
	return r.sequence(n, at)
}

func (r *resolver) alias(n *yaml.Node, at *trail) (*yaml.Node, error) {
	if r.open[n.Alias] {
		return nil, faultAt(n, at, "alias *%s is circular: it stands inside the value it names (line %d)", n.Value, n.Alias.Line)
	}
	outer := r.inAlias
	r.inAlias = true
	defer func() { r.inAlias = outer }()
	return r.node(n.Alias, at)
}

func (r *resolver) sequence(n *yaml.Node, at *trail) (*yaml.Node, error) {
	if n.Tag != seqTag {
		return nil, faultAt(n, at, "a list cannot have the tag %s", n.Tag)
	}
	out := &yaml.Node{Kind: yaml.SequenceNode, Tag: seqTag, Line: n.Line}
	for i, item := range n.Content {
		plain, err := r.node(item, at.toItem(i))
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, plain)
	}
	return out, nil
}

// mapping resolves the values in their order. A merge key's entries take its
// place, except those the mapping has itself.
func (r *resolver) mapping(n *yaml.Node, at *trail) (*yaml.Node, error) {
	if n.Tag != mapTag {
		return nil, faultAt(n, at, "an object cannot have the tag %s", n.Tag)
	}
	seen, err := ownKeys(n, at)
	if err != nil {
		return nil, err
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: mapTag, Line: n.Line}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			if err := r.merge(out, seen, value, at); err != nil {
				return nil, err
			}
			continue
		}
		plainKey := text(unaliased(key).Value, key.Line)
		plain, err := r.node(value, at.to(plainKey.Value))
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, plainKey, plain)
	}
	return out, nil
}

// ownKeys returns the keys that stand in the mapping itself, with their lines.
// Status codes may be written as numbers; 200 and '200' are the same key.
func ownKeys(n *yaml.Node, at *trail) (map[string]int, error) {
	seen := map[string]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key := unaliased(n.Content[i])
		if key.Kind != yaml.ScalarNode || key.ShortTag() == nullTag {
			return nil, faultAt(n.Content[i], at, "a key must be a string")
		}
		if line, twice := seen[key.Value]; twice {
			return nil, faultAt(n.Content[i], at, "duplicate key %q, first on line %d", key.Value, line)
		}
		seen[key.Value] = n.Content[i].Line
	}
	return seen, nil
}

// merge adds the entries of a merge key's value, which is an object or a list of
// objects of which the first wins.
func (r *resolver) merge(out *yaml.Node, seen map[string]int, value *yaml.Node, at *trail) error {
	at = at.to("<<")
	plain, err := r.node(value, at)
	if err != nil {
		return err
	}
	sources := []*yaml.Node{plain}
	if plain.Kind == yaml.SequenceNode {
		sources = plain.Content
	}
	for _, source := range sources {
		if source.Kind != yaml.MappingNode {
			return faultAt(value, at, "only an object can be merged, not %s", describe(source))
		}
		for i := 0; i < len(source.Content); i += 2 {
			key := source.Content[i]
			if _, taken := seen[key.Value]; taken {
				continue
			}
			seen[key.Value] = key.Line
			out.Content = append(out.Content, key, source.Content[i+1])
		}
	}
	return nil
}

func isMerge(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.Tag == mergeTag }

func unaliased(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
