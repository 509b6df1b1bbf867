package document

import (
	"iter"
	"slices"
	"strconv"
)

// Kind is the JSON type of a node.
type Kind int

// The kinds of node. The zero value is no valid kind.
const (
	Object Kind = iota + 1
	Array
	String
	Number
	Bool
	Null
)

// String names the kind as JSON Schema does.
func (k Kind) String() string {
	switch k {
	case Object:
		return "object"
	case Array:
		return "array"
	case String:
		return "string"
	case Number:
		return "number"
	case Bool:
		return "boolean"
	case Null:
		return "null"
	}
	return "nothing"
}

// WithArticle names the kind as a sentence about a value does: "an object",
// "null".
func (k Kind) WithArticle() string {
	switch k {
	case Object, Array:
		return "an " + k.String()
	case String, Number, Bool:
		return "a " + k.String()
	}
	return k.String()
}

// Node is one value of the document. Methods that read accept a nil node and
// find nothing in it, so that a path can be followed without a check at each
// step. Nodes are not safe for concurrent changes.
type Node struct {
	Kind   Kind
	Fields []Field // of an object, in the order of the source
	Items  []*Node // of an array
	Text   string  // of a scalar: a string's value, a number's or boolean's text
	Line   int     // 1-based; 0 for a node that a repair made
	Column int
}

// Field is one member of an object.
type Field struct {
	Name  string
	Value *Node
}

// Get returns the member of an object, nil when there is none.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for _, f := range n.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// At follows a path of member names.
func (n *Node) At(names ...string) *Node {
	for _, name := range names {
		n = n.Get(name)
	}
	return n
}

// Has reports whether an object has the member, null or not.
func (n *Node) Has(name string) bool { return n.Get(name) != nil }

// Set gives an object's member a value, in place when it exists and at the end
// otherwise.
func (n *Node) Set(name string, value *Node) {
	for i, f := range n.Fields {
		if f.Name == name {
			n.Fields[i].Value = value
			return
		}
	}
	n.Fields = append(n.Fields, Field{Name: name, Value: value})
}

// Delete removes a member; a missing one is no error.
func (n *Node) Delete(name string) {
	if n == nil {
		return
	}
	n.Fields = slices.DeleteFunc(n.Fields, func(f Field) bool { return f.Name == name })
}

// Rename gives a member another name and leaves it where it is.
func (n *Node) Rename(from, to string) {
	for i, f := range n.Fields {
		if f.Name == from {
			n.Fields[i].Name = to
		}
	}
}

// Members yields the members of an object in order.
func (n *Node) Members() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		if n == nil || n.Kind != Object {
			return
		}
		for _, f := range n.Fields {
			if !yield(f.Name, f.Value) {
				return
			}
		}
	}
}

// Elements yields the elements of an array in order.
func (n *Node) Elements() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		if n == nil || n.Kind != Array {
			return
		}
		for i, item := range n.Items {
			if !yield(i, item) {
				return
			}
		}
	}
}

// Str returns the value of a string node, empty for anything else.
func (n *Node) Str() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// True reports whether the node is the boolean true.
func (n *Node) True() bool { return n != nil && n.Kind == Bool && n.Text == "true" }

// Strings returns the string elements of an array, or a lone string as the only
// one.
func (n *Node) Strings() []string {
	if n == nil {
		return nil
	}
	if n.Kind == String {
		return []string{n.Text}
	}
	var out []string
	for _, item := range n.Elements() {
		if item.Kind == String {
			out = append(out, item.Text)
		}
	}
	return out
}

// Clone returns a deep copy.
func (n *Node) Clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Fields = make([]Field, len(n.Fields))
	for i, f := range n.Fields {
		c.Fields[i] = Field{Name: f.Name, Value: f.Value.Clone()}
	}
	c.Items = make([]*Node, len(n.Items))
	for i, item := range n.Items {
		c.Items[i] = item.Clone()
	}
	return &c
}

// NewString makes a string node.
func NewString(text string) *Node { return &Node{Kind: String, Text: text} }

// NewBool makes a boolean node.
func NewBool(value bool) *Node { return &Node{Kind: Bool, Text: strconv.FormatBool(value)} }

// NewObject makes an object of name and value in turn; values are *Node or
// string.
func NewObject(pairs ...any) *Node {
	n := &Node{Kind: Object}
	for i := 0; i+1 < len(pairs); i += 2 {
		n.Set(pairs[i].(string), asNode(pairs[i+1]))
	}
	return n
}

// NewArray makes an array; elements are *Node or string.
func NewArray(elements ...any) *Node {
	n := &Node{Kind: Array}
	for _, e := range elements {
		n.Items = append(n.Items, asNode(e))
	}
	return n
}

func asNode(v any) *Node {
	if text, ok := v.(string); ok {
		return NewString(text)
	}
	return v.(*Node)
}

// All returns the elements of an array, nil for anything else.
func (n *Node) All() []*Node {
	if n == nil || n.Kind != Array {
		return nil
	}
	return n.Items
}
