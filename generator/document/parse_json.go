package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"go.yaml.in/yaml/v3"
)

// looksLikeJSON is true for what starts as a JSON object does. YAML in flow
// style does as well, so decodeJSON falls back to it.
func looksLikeJSON(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), []byte("{"))
}

// decodeJSON reads JSON with encoding/json, since a YAML reader refuses tabs
// and surrogate escapes that JSON allows. The result has YAML's node form, so
// that the rest of Parse is the same for both.
func decodeJSON(file string, data []byte) (*yaml.Node, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	r := jsonReader{decoder: json.NewDecoder(bytes.NewReader(data)), lines: lineStarts(data)}
	r.decoder.UseNumber()
	root, err := r.value()
	if err == nil {
		if _, more := r.decoder.Token(); more != io.EOF {
			err = fmt.Errorf("something follows the document's closing brace")
		}
	}
	if err == nil {
		return root, nil
	}
	var flow yaml.Node
	if yaml.Unmarshal(data, &flow) == nil && len(flow.Content) > 0 {
		return flow.Content[0], nil
	}
	line, column := r.position()
	return nil, &Error{File: file, Line: line, Column: column, Problem: "not valid JSON: " + err.Error()}
}

type jsonReader struct {
	decoder *json.Decoder
	lines   []int
}

func lineStarts(data []byte) []int {
	starts := []int{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// position is the line and column just read.
func (r *jsonReader) position() (line, column int) {
	offset := int(r.decoder.InputOffset())
	line = sort.SearchInts(r.lines, offset+1)
	return line, offset - r.lines[line-1] + 1
}

func (r *jsonReader) value() (*yaml.Node, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{}
	n.Line, n.Column = r.position()
	switch t := token.(type) {
	case json.Delim:
		n.Kind = yaml.SequenceNode
		if t == '{' {
			n.Kind = yaml.MappingNode
		}
		for r.decoder.More() {
			child, err := r.value()
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		_, err = r.decoder.Token()
		return n, err
	case nil:
		return scalar(n, "!!null", "null"), nil
	case bool:
		return scalar(n, "!!bool", fmt.Sprint(t)), nil
	case json.Number:
		return scalar(n, "!!float", t.String()), nil
	default:
		return scalar(n, "!!str", token.(string)), nil
	}
}

func scalar(n *yaml.Node, tag, value string) *yaml.Node {
	n.Kind, n.Tag, n.Value = yaml.ScalarNode, tag, value
	return n
}
