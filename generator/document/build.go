package document

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Limits that no interface document comes near. The first keeps nested aliases
// (each list naming the one before twice) from filling the memory; what stands in
// the document itself is not counted, however large it is.
const (
	maxAliased = 100_000
	maxDepth   = 250
)

// builder turns YAML's nodes into the tree.
type builder struct {
	open    map[*yaml.Node]bool // collections on the way from the root, to see circles
	inAlias bool
	aliased int // values that aliases stood for
}

func build(source *yaml.Node) (*Node, *Error) {
	b := builder{open: map[*yaml.Node]bool{}}
	root, fault := b.node(source, "")
	if fault == nil && root.Kind != Object {
		fault = faultAt(source, "", "not an OpenAPI document: its outermost value is %s, not an object", root.Kind.WithArticle())
	}
	return root, fault
}

func faultAt(y *yaml.Node, p Pointer, format string, args ...any) *Error {
	return &Error{Line: y.Line, Column: y.Column, Pointer: p, Problem: fmt.Sprintf(format, args...)}
}

func (b *builder) node(y *yaml.Node, p Pointer) (*Node, *Error) {
	if b.inAlias {
		b.aliased++
	}
	if b.aliased > maxAliased {
		return nil, faultAt(y, p, "the document's aliases stand for more than %d values", maxAliased)
	}
	if len(b.open) > maxDepth {
		return nil, faultAt(y, p, "the document is nested deeper than %d levels", maxDepth)
	}
	switch y.Kind {
	case yaml.ScalarNode:
		return scalar(y, p)
	case yaml.AliasNode:
		return b.alias(y, p)
	}
	b.open[y] = true
	defer delete(b.open, y)
	if y.Kind == yaml.MappingNode {
		return b.object(y, p)
	}
	return b.array(y, p)
}

func (b *builder) alias(y *yaml.Node, p Pointer) (*Node, *Error) {
	if b.open[y.Alias] {
		return nil, faultAt(y, p, "circular alias: *%s stands inside the value it names (line %d)", y.Value, y.Alias.Line)
	}
	outer := b.inAlias
	b.inAlias = true
	defer func() { b.inAlias = outer }()
	return b.node(y.Alias, p)
}

func (b *builder) array(y *yaml.Node, p Pointer) (*Node, *Error) {
	if tag := y.ShortTag(); tag != seqTag {
		return nil, faultAt(y, p, "an array cannot have the tag %s", tag)
	}
	n := &Node{Kind: Array, Line: y.Line, Column: y.Column}
	for i, item := range y.Content {
		child, fault := b.node(item, p.Index(i))
		if fault != nil {
			return nil, fault
		}
		n.Items = append(n.Items, child)
	}
	return n, nil
}

// object builds the members in their order. What a merge key (<<) names takes
// its place, except the members that the object has itself.
func (b *builder) object(y *yaml.Node, p Pointer) (*Node, *Error) {
	if tag := y.ShortTag(); tag != mapTag {
		return nil, faultAt(y, p, "an object cannot have the tag %s", tag)
	}
	seen, fault := ownKeys(y, p)
	if fault != nil {
		return nil, fault
	}
	n := &Node{Kind: Object, Line: y.Line, Column: y.Column}
	for i := 0; i < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if isMerge(key) {
			if fault := b.merge(n, seen, value, p.To("<<")); fault != nil {
				return nil, fault
			}
			continue
		}
		name := unaliased(key).Value
		child, fault := b.node(value, p.To(name))
		if fault != nil {
			return nil, fault
		}
		n.Fields = append(n.Fields, Field{Name: name, Value: child})
	}
	return n, nil
}

// ownKeys returns the keys that stand in the object itself, with their lines.
// Status codes may be written as numbers; 200 and '200' are the same key.
func ownKeys(y *yaml.Node, p Pointer) (map[string]int, *Error) {
	seen := make(map[string]int, len(y.Content)/2)
	for i := 0; i < len(y.Content); i += 2 {
		at, key := y.Content[i], unaliased(y.Content[i])
		if key.Kind != yaml.ScalarNode || key.ShortTag() == nullTag {
			return nil, faultAt(at, p, "a key must be a string")
		}
		if line, twice := seen[key.Value]; twice {
			return nil, faultAt(at, p, "duplicate key %q, first on line %d", key.Value, line)
		}
		seen[key.Value] = at.Line
	}
	return seen, nil
}

// merge adds the members of a merge key's value, which is an object or a list of
// objects of which the first wins.
func (b *builder) merge(n *Node, seen map[string]int, y *yaml.Node, p Pointer) *Error {
	value, fault := b.node(y, p)
	if fault != nil {
		return fault
	}
	sources := []*Node{value}
	if value.Kind == Array {
		sources = value.Items
	}
	for _, source := range sources {
		if source.Kind != Object {
			return faultAt(y, p, "only an object can be merged, not %s", source.Kind.WithArticle())
		}
		for name, member := range source.Members() {
			if _, taken := seen[name]; !taken {
				seen[name] = member.Line
				n.Fields = append(n.Fields, Field{Name: name, Value: member})
			}
		}
	}
	return nil
}

func isMerge(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.Tag == mergeTag }

func unaliased(y *yaml.Node) *yaml.Node {
	if y.Kind == yaml.AliasNode {
		return y.Alias
	}
	return y
}
