package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Document is an OpenAPI document.
type Document struct {
	// File is the name for messages.
	File string
	// SHA256 is the digest of the bytes that Parse was given, in hexadecimal.
	SHA256 string
	// Root is the document's outermost object.
	Root *Node
}

// maxNodes bounds the tree, so that aliases of aliases cannot fill the memory.
const maxNodes = 4_000_000

// Parse reads YAML or JSON into a tree. It refuses what is empty, what is no
// object, duplicate keys and aliases that contain themselves; every refusal is
// an *Error. It does not look at the meaning; Check does.
func Parse(file string, data []byte) (*Document, error) {
	sum := sha256.Sum256(data)
	d := &Document{File: file, SHA256: hex.EncodeToString(sum[:])}
	source, err := decode(file, data)
	if err != nil {
		return nil, err
	}
	b := builder{doc: d, open: map[*yaml.Node]bool{}}
	if d.Root, err = b.node(source, ""); err != nil {
		return nil, err
	}
	if d.Root.Kind != Object {
		return nil, d.Errorf("", "not an OpenAPI document: its outermost value is a %s, not an object", d.Root.Kind)
	}
	return d, nil
}

func decode(file string, data []byte) (*yaml.Node, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &Error{File: file, Problem: "the document is empty"}
	}
	if looksLikeJSON(data) {
		return decodeJSON(file, data)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, yamlError(file, err)
	}
	if len(root.Content) == 0 {
		return nil, &Error{File: file, Problem: "the document is empty: it holds nothing but comments"}
	}
	return root.Content[0], nil
}

var yamlLine = regexp.MustCompile(`line (\d+): `)

// yamlError moves the line number out of the library's text.
func yamlError(file string, err error) *Error {
	problem := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &Error{File: file}
	if m := yamlLine.FindStringSubmatch(problem); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		problem = strings.Replace(problem, m[0], "", 1)
	}
	e.Problem = "not valid YAML: " + problem
	return e
}

// builder turns YAML nodes into the tree.
type builder struct {
	doc   *Document
	open  map[*yaml.Node]bool // anchors being expanded
	count int
}

func (b *builder) fail(y *yaml.Node, p Pointer, format string, args ...any) error {
	return &Error{File: b.doc.File, Line: y.Line, Column: y.Column, Pointer: p, Problem: fmt.Sprintf(format, args...)}
}

func (b *builder) node(y *yaml.Node, p Pointer) (*Node, error) {
	if b.count++; b.count > maxNodes {
		return nil, b.fail(y, p, "the document is too large: more than %d values once aliases are expanded", maxNodes)
	}
	switch y.Kind {
	case yaml.AliasNode:
		return b.alias(y, p)
	case yaml.MappingNode:
		return b.object(y, p)
	case yaml.SequenceNode:
		n := &Node{Kind: Array, Line: y.Line, Column: y.Column}
		for i, item := range y.Content {
			child, err := b.node(item, p.Index(i))
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, child)
		}
		return n, nil
	default:
		return b.scalar(y, p)
	}
}

func (b *builder) alias(y *yaml.Node, p Pointer) (*Node, error) {
	if b.open[y.Alias] {
		return nil, b.fail(y, p, "circular alias: *%s contains itself", y.Value)
	}
	b.open[y.Alias] = true
	defer delete(b.open, y.Alias)
	return b.node(y.Alias, p)
}

func (b *builder) object(y *yaml.Node, p Pointer) (*Node, error) {
	n := &Node{Kind: Object, Line: y.Line, Column: y.Column}
	var merged []*Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if key.Kind != yaml.ScalarNode {
			return nil, b.fail(key, p, "a key must be plain text")
		}
		value, err := b.node(y.Content[i+1], p.To(key.Value))
		if err != nil {
			return nil, err
		}
		if key.Tag == "!!merge" {
			merged = append(merged, value)
			continue
		}
		if n.Has(key.Value) {
			return nil, b.fail(key, p, "duplicate key %q", key.Value)
		}
		n.Fields = append(n.Fields, Field{Name: key.Value, Value: value})
	}
	return n, b.merge(n, merged, y, p)
}

// merge adds the members of YAML merge keys (<<) that the object does not have
// itself.
func (b *builder) merge(n *Node, sources []*Node, y *yaml.Node, p Pointer) error {
	for len(sources) > 0 {
		source := sources[0]
		sources = sources[1:]
		switch source.Kind {
		case Array:
			sources = append(source.Items, sources...)
		case Object:
			for name, value := range source.Members() {
				if !n.Has(name) {
					n.Set(name, value)
				}
			}
		default:
			return b.fail(y, p, "a merge key (<<) must name an object")
		}
	}
	return nil
}

func (b *builder) scalar(y *yaml.Node, p Pointer) (*Node, error) {
	n := &Node{Kind: String, Text: y.Value, Line: y.Line, Column: y.Column}
	switch y.ShortTag() {
	case "!!null":
		n.Kind, n.Text = Null, ""
	case "!!bool":
		n.Kind, n.Text = Bool, strings.ToLower(y.Value)
	case "!!int", "!!float":
		text, err := jsonNumber(y)
		if err != nil {
			return nil, b.fail(y, p, "%v", err)
		}
		n.Kind, n.Text = Number, text
	}
	return n, nil
}

var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// jsonNumber spells a YAML number as JSON does; most are spelled alike.
func jsonNumber(y *yaml.Node) (string, error) {
	if plainNumber.MatchString(y.Value) {
		return y.Value, nil
	}
	if y.ShortTag() == "!!int" {
		if i, err := strconv.ParseInt(strings.ReplaceAll(y.Value, "_", ""), 0, 64); err == nil {
			return strconv.FormatInt(i, 10), nil
		}
	}
	var f float64
	if err := y.Decode(&f); err != nil {
		return "", errors.New("not a number: " + y.Value)
	}
	if f-f != 0 { // an infinity or NaN
		return "", errors.New("a number that JSON does not have: " + y.Value)
	}
	return strconv.FormatFloat(f, 'g', -1, 64), nil
}

// Clone returns a deep copy of the document.
func (d *Document) Clone() *Document {
	c := *d
	c.Root = d.Root.Clone()
	return &c
}
