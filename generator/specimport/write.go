package specimport

import (
	"io"
	"regexp"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/onceberg/onceberg/generator/document"
)

// writeYAML writes a tree in block style.
func writeYAML(w io.Writer, n *document.Node) error {
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(yamlOf(n)); err != nil {
		return err
	}
	return encoder.Close()
}

func yamlOf(n *document.Node) *yaml.Node {
	switch n.Kind {
	case document.Object:
		out := &yaml.Node{Kind: yaml.MappingNode}
		for name, value := range n.Members() {
			out.Content = append(out.Content, textOf(name), yamlOf(value))
		}
		return out
	case document.Array:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range n.Elements() {
			out.Content = append(out.Content, yamlOf(item))
		}
		return out
	case document.String:
		return textOf(n.Text)
	case document.Null:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: n.Text}
	}
}

// textOf makes a string that is quoted only when it must be, and then always in
// the same way.
func textOf(value string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
	switch {
	case strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }):
		n.Style = yaml.DoubleQuotedStyle
	case !plainlyText(value) || yaml11.MatchString(value):
		n.Style = yaml.SingleQuotedStyle
	}
	return n
}

// plainlyText tells whether a reader takes unquoted text for a string, and not
// for a number, say.
func plainlyText(value string) bool {
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: value}).ShortTag() == "!!str"
}

// yaml11 matches strings that readers of YAML 1.1 take for booleans and base-60
// numbers. YAML 1.2, which OpenAPI asks for, does not, but such readers are common.
var yaml11 = regexp.MustCompile(`^(?:[yYnN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$`)
