package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

func decodeYAML(data []byte) (root *yaml.Node, fault *Error) {
	// The library panics on a few malformed inputs instead of returning an error.
	defer func() {
		if p := recover(); p != nil {
			root, fault = nil, &Error{Problem: fmt.Sprintf("not valid YAML: the parser gave up: %v", p)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	switch err := decoder.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, emptyAt(1) // nothing but comments
	case err != nil:
		return nil, yamlError(data, err)
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, &Error{Line: second.Line, Column: second.Column, Problem: "the file holds more than one YAML document"}
	case !errors.Is(err, io.EOF):
		return nil, yamlError(data, err)
	}
	root = first.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == nullTag {
		return nil, emptyAt(root.Line)
	}
	return root, nil
}

var (
	yamlErrorLine     = regexp.MustCompile(`^line (\d+): `)
	yamlUnknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
	yamlGrammarError  = regexp.MustCompile(`^did not find expected (node content|key|'|<)`)
)

// yamlError makes an Error of the library's text, whose lines need care: for
// faults of grammar it counts from 0, for an unknown anchor or a control
// character it names none, nor for faults on the first line.
func yamlError(data []byte, err error) *Error {
	line, reason := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlErrorLine.FindStringSubmatch(reason); m != nil {
		line, _ = strconv.Atoi(m[1])
		reason = strings.TrimPrefix(reason, m[0])
		if yamlGrammarError.MatchString(reason) {
			line++
		}
	} else if m := yamlUnknownAnchor.FindStringSubmatch(reason); m != nil {
		before, _, _ := bytes.Cut(data, []byte("*"+m[1]))
		line = 1 + bytes.Count(before, []byte("\n"))
	} else if strings.HasPrefix(reason, "control characters") {
		line = lineOf(data, isControl)
	}
	return &Error{Line: line, Problem: "not valid YAML: " + reason}
}

func isControl(r rune, _ int) bool {
	return r != '\t' && r != '\n' && r != '\r' && r != '\u0085' && unicode.IsControl(r)
}
