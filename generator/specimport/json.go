package specimport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// parseJSON builds the same tree from JSON that parseYAML builds from YAML. It
// reads tokens, so that the order of keys, duplicates and the digits of numbers
// are seen as they stand.
func parseJSON(source []byte) (*yaml.Node, error) {
	r := &jsonReader{source: source, line: 1, decoder: json.NewDecoder(bytes.NewReader(source))}
	r.decoder.UseNumber()
	return r.value()
}

// jsonError says why source is no JSON.
func jsonError(source []byte) error {
	var value any
	err := json.Unmarshal(source, &value)
	fault := &Error{Reason: fmt.Sprintf("not JSON: %v", err)}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		fault.Line = 1 + bytes.Count(source[:syntax.Offset], []byte("\n"))
	}
	return fault
}

type jsonReader struct {
	decoder *json.Decoder
	source  []byte
	offset  int64
	line    int
}

// next returns the next token and leaves its line in r.line.
func (r *jsonReader) next() (json.Token, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, &Error{Line: r.line, Reason: err.Error()}
	}
	end := r.decoder.InputOffset()
	r.line += bytes.Count(r.source[r.offset:end], []byte("\n"))
	r.offset = end
	return token, nil
}

func (r *jsonReader) value() (*yaml.Node, error) {
	token, err := r.next()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return r.collection(yaml.MappingNode, mapTag)
		}
		return r.collection(yaml.SequenceNode, seqTag)
	case json.Number:
		return r.number(token)
	case string:
		return r.scalar(strTag, token), nil
	case bool:
		if token {
			return r.scalar(boolTag, "true"), nil
		}
		return r.scalar(boolTag, "false"), nil
	default:
		return r.scalar(nullTag, "null"), nil
	}
}

// collection reads the rest of an object or an array. An object's keys are
// values like any other to the tokenizer, as they are to the tree.
func (r *jsonReader) collection(kind yaml.Kind, tag string) (*yaml.Node, error) {
	n := &yaml.Node{Kind: kind, Tag: tag, Line: r.line}
	for r.decoder.More() {
		child, err := r.value()
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, child)
	}
	_, err := r.next()
	return n, err
}

func (r *jsonReader) number(value json.Number) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: value.String(), Line: r.line}
	n.Tag = n.ShortTag()
	if n.Tag != intTag && n.Tag != floatTag {
		return nil, &Error{Line: r.line, Reason: "number " + value.String() + " is out of range"}
	}
	return n, nil
}

// scalar marks strings as quoted, which they are, so that one that looks like a
// number or a merge key stays a string.
func (r *jsonReader) scalar(tag, value string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value, Line: r.line}
	if tag == strTag {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
