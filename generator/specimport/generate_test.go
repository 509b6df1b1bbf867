package specimport_test

import (
	"strings"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// Generators of OpenAPI documents in random notation, full of names that tempt an
// importer: properties called description, numbers that are strings, and so on.

// mark is in every text that is prose, and in nothing that is a fact.
const mark = "UPSTREAM"

var (
	names = rapid.SampledFrom([]string{
		"description", "summary", "title", "example", "examples", "externalDocs", "$comment", "properties", "default",
		"enum", "required", "x-name", "id", "200", "true", "null", "on", "1_0", "2020-01-01", "~", "<<", "- a", "a: b",
		"#x", "a b", "a\nb", " a", "", "ü", "表", "\U0001F600", "\u0085", "it's", `"q"`, "a\tb", "\r", "%", "@", "!a", "*a", "&a", "...", "---",
	})
	texts = rapid.OneOf(names, rapid.StringN(0, 8, -1))
	prose = rapid.Map(rapid.SampledFrom([]string{"", " is a word. ", ":\nlines\n", " # no"}), func(s string) string { return mark + s })
)

// pairs collects the pairs of an object, each key once.
type pairs struct {
	t    *rapid.T
	node *yaml.Node
	seen map[string]bool
}

func newObject(t *rapid.T) *pairs {
	return &pairs{t, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, map[string]bool{}}
}

// maybe adds a pair half of the time; value is only made then.
func (o *pairs) maybe(key string, value func(*rapid.T) *yaml.Node) {
	if rapid.Bool().Draw(o.t, "has "+key) {
		o.add(key, value(o.t))
	}
}

func (o *pairs) add(key string, value *yaml.Node) {
	if !o.seen[key] {
		o.seen[key] = true
		o.node.Content = append(o.node.Content, str(o.t, key), value)
	}
}

// done shuffles the pairs and picks a notation.
func (o *pairs) done() *yaml.Node {
	shuffled := make([][2]*yaml.Node, 0, len(o.node.Content)/2)
	for i := 0; i < len(o.node.Content); i += 2 {
		shuffled = append(shuffled, [2]*yaml.Node{o.node.Content[i], o.node.Content[i+1]})
	}
	o.node.Content = nil
	for _, pair := range rapid.Permutation(shuffled).Draw(o.t, "order") {
		o.node.Content = append(o.node.Content, pair[0], pair[1])
	}
	return inAnyNotation(o.t, o.node)
}

func inAnyNotation(t *rapid.T, n *yaml.Node) *yaml.Node {
	if rapid.IntRange(0, 4).Draw(t, "flow") == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}

func str(t *rapid.T, value string) *yaml.Node {
	style := rapid.SampledFrom([]yaml.Style{0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle}).Draw(t, "style")
	if strings.TrimLeft(value, " \n\t") != value {
		style = yaml.DoubleQuotedStyle // the library's block text is wrong where it begins with a line break
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: style}
}

func proseText(t *rapid.T) *yaml.Node { return str(t, prose.Draw(t, "prose")) }

func listOf(item func(*rapid.T) *yaml.Node) func(*rapid.T) *yaml.Node {
	return func(t *rapid.T) *yaml.Node {
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for range rapid.IntRange(0, 2).Draw(t, "items") {
			n.Content = append(n.Content, item(t))
		}
		return inAnyNotation(t, n)
	}
}

func namesTo(value func(*rapid.T) *yaml.Node) func(*rapid.T) *yaml.Node {
	return func(t *rapid.T) *yaml.Node {
		o := newObject(t)
		for range rapid.IntRange(0, 3).Draw(t, "names") {
			o.add(texts.Draw(t, "name"), value(t))
		}
		return o.done()
	}
}

func anyText(t *rapid.T) *yaml.Node { return str(t, texts.Draw(t, "text")) }

func anyData(t *rapid.T) *yaml.Node { return dataUpTo(2)(t) }

func dataUpTo(depth int) func(*rapid.T) *yaml.Node {
	return func(t *rapid.T) *yaml.Node {
		kinds := 6
		if depth == 0 {
			kinds = 4
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "data") {
		case 0:
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: rapid.StringMatching(`-?[1-9][0-9]{0,17}`).Draw(t, "int")}
		case 1:
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")}
		case 2:
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
		case 4:
			return namesTo(dataUpTo(depth - 1))(t)
		case 5:
			return listOf(dataUpTo(depth - 1))(t)
		}
		return str(t, texts.Draw(t, "string"))
	}
}

// withProse adds what every object may carry and every import must lose.
func withProse(o *pairs) {
	o.maybe("description", proseText)
	o.maybe("summary", proseText)
	o.maybe("example", proseText)
	o.maybe("examples", namesTo(proseText))
	o.maybe("externalDocs", namesTo(proseText))
}

func schemaUpTo(depth int) func(*rapid.T) *yaml.Node {
	return func(t *rapid.T) *yaml.Node {
		o := newObject(t)
		withProse(o)
		o.maybe("title", proseText)
		o.maybe("$comment", proseText)
		o.maybe("type", func(t *rapid.T) *yaml.Node {
			return str(t, rapid.SampledFrom([]string{"string", "object", "null"}).Draw(t, "type"))
		})
		o.maybe("default", anyData)
		o.maybe("enum", listOf(anyData))
		o.maybe("required", listOf(func(t *rapid.T) *yaml.Node { return str(t, texts.Draw(t, "required")) }))
		if depth > 0 {
			below := schemaUpTo(depth - 1)
			o.maybe("properties", namesTo(below))
			o.maybe("items", below)
			o.maybe("oneOf", listOf(below))
			o.maybe("additionalProperties", below)
		}
		return o.done()
	}
}

func anyParameter(t *rapid.T) *yaml.Node {
	o := newObject(t)
	withProse(o)
	o.add("name", str(t, texts.Draw(t, "parameter")))
	o.add("in", str(t, "header"))
	o.maybe("schema", schemaUpTo(1))
	return o.done()
}

func anyMediaType(t *rapid.T) *yaml.Node {
	o := newObject(t)
	o.maybe("example", proseText)
	o.maybe("schema", schemaUpTo(1))
	return o.done()
}

func anyResponse(t *rapid.T) *yaml.Node {
	o := newObject(t)
	o.maybe("description", proseText)
	o.maybe("content", namesTo(anyMediaType))
	return o.done()
}

func anyOperation(t *rapid.T) *yaml.Node {
	o := newObject(t)
	withProse(o)
	o.maybe("operationId", anyText)
	o.maybe("parameters", listOf(anyParameter))
	o.maybe("responses", func(t *rapid.T) *yaml.Node {
		responses := newObject(t)
		for _, status := range []string{"200", "5XX", "default"} {
			responses.maybe(status, anyResponse)
		}
		return responses.done()
	})
	return o.done()
}

func anyPathItem(t *rapid.T) *yaml.Node {
	o := newObject(t)
	o.maybe("description", proseText)
	o.maybe("summary", proseText)
	o.maybe("parameters", listOf(anyParameter))
	o.maybe("post", anyOperation)
	o.maybe("get", anyOperation)
	return o.done()
}

func anyDocument(t *rapid.T) *yaml.Node {
	facts := newObject(t)
	facts.add("title", str(t, texts.Draw(t, "title")))
	facts.add("version", str(t, "1"))
	facts.maybe("description", proseText)

	components := newObject(t)
	components.maybe("schemas", namesTo(schemaUpTo(3)))
	components.maybe("parameters", namesTo(anyParameter))
	components.maybe("responses", namesTo(anyResponse))
	components.maybe("examples", namesTo(proseText))

	o := newObject(t)
	o.add("openapi", str(t, rapid.SampledFrom([]string{"3.0.3", "3.1.1"}).Draw(t, "version")))
	o.add("info", facts.done())
	o.add("paths", func() *yaml.Node {
		paths := newObject(t)
		for _, path := range []string{"/a", "/b"} {
			paths.maybe(path, anyPathItem)
		}
		return paths.done()
	}())
	o.maybe("security", listOf(anyData))
	o.add("components", components.done())
	root := o.done()
	root.HeadComment = "# " + mark
	return root
}
