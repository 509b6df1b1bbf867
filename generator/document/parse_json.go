package document

import (
	"bytes"
	"encoding/json"
	"errors"

	"go.yaml.in/yaml/v3"
)

// decodeJSON reads JSON with a reader of its own, although YAML is nearly a
// superset: a YAML parser refuses JSON's surrogate pairs (two \u escapes for one
// character), keys of more than 1024 bytes, and tabs. It reads tokens, so that
// the order of keys, duplicates and the digits of numbers are seen as they stand.
func decodeJSON(data []byte) (*yaml.Node, *Error) {
	r := jsonReader{data: data, decoder: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.decoder.UseNumber()
	return r.value()
}

// jsonError says why data is not JSON.
func jsonError(data []byte) *Error {
	var value any
	err := json.Unmarshal(data, &value)
	fault := &Error{Problem: "not valid JSON"}
	if err != nil {
		fault.Problem += ": " + err.Error()
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		before := data[:syntax.Offset]
		fault.Line = 1 + bytes.Count(before, []byte("\n"))
		fault.Column = len(before) - 1 - bytes.LastIndexByte(before, '\n')
	}
	return fault
}

// jsonReader follows the decoder through the text, since the decoder counts
// bytes only. All offsets are those of the last token.
type jsonReader struct {
	decoder    *json.Decoder
	data       []byte
	begin, end int // of the token
	line       int // of the token, which cannot span lines
	lineBegin  int // of that line
}

// next returns the next token and notes where it begins.
func (r *jsonReader) next() (json.Token, *Error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, jsonError(r.data)
	}
	r.begin = r.end
	for isSeparator(r.data[r.begin]) {
		r.begin++
		if r.data[r.begin-1] == '\n' {
			r.line, r.lineBegin = r.line+1, r.begin
		}
	}
	r.end = int(r.decoder.InputOffset())
	return token, nil
}

// isSeparator tells the bytes between tokens, of which the decoder does not speak.
func isSeparator(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ':'
}

func (r *jsonReader) value() (*yaml.Node, *Error) {
	token, fault := r.next()
	if fault != nil {
		return nil, fault
	}
	switch token := token.(type) {
	case json.Delim:
		return r.collection(token)
	case json.Number:
		n := r.node(yaml.ScalarNode, floatTag, token.String())
		if natural := naturalTag(n.Value); natural != intTag && natural != floatTag {
			return nil, &Error{Line: n.Line, Column: n.Column, Problem: "the number " + n.Value + " is out of range"}
		}
		return n, nil
	case bool:
		if token {
			return r.node(yaml.ScalarNode, boolTag, "true"), nil
		}
		return r.node(yaml.ScalarNode, boolTag, "false"), nil
	case string:
		return r.node(yaml.ScalarNode, strTag, token), nil
	default:
		return r.node(yaml.ScalarNode, nullTag, "null"), nil
	}
}

// collection reads the rest of an object or an array. An object's keys are
// values like any other to the tokenizer, as they are to YAML's nodes.
func (r *jsonReader) collection(open json.Delim) (*yaml.Node, *Error) {
	n := r.node(yaml.SequenceNode, seqTag, "")
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, mapTag
	}
	for r.decoder.More() {
		child, fault := r.value()
		if fault != nil {
			return nil, fault
		}
		n.Content = append(n.Content, child)
	}
	_, fault := r.next()
	return n, fault
}

func (r *jsonReader) node(kind yaml.Kind, tag, value string) *yaml.Node {
	return &yaml.Node{Kind: kind, Tag: tag, Value: value, Line: r.line, Column: r.begin - r.lineBegin + 1}
}
