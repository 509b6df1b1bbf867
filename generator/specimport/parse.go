package specimport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// parse reads one YAML or JSON document. JSON has a reader of its own although
// YAML is nearly a superset: the YAML parser refuses JSON's surrogate pairs
// (two \u escapes for one character) and keys of more than 1024 bytes.
func parse(source []byte) (*yaml.Node, error) {
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	if !utf8.Valid(source) {
		return nil, &Error{Line: lineOf(source, isInvalidUTF8), Reason: "the document is not UTF-8"}
	}
	if len(bytes.TrimSpace(source)) == 0 {
		return nil, errEmpty(1)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(source), []byte("{")) {
		return parseYAML(source)
	}
	if json.Valid(source) {
		return parseJSON(source)
	}
	tree, err := parseYAML(source)
	if err != nil {
		return nil, jsonError(source) // braces around a whole file mean JSON
	}
	return tree, nil
}

func errEmpty(line int) error {
	return &Error{Line: line, Reason: "the document is empty"}
}

// lineOf returns the line of the first rune that is wanted, 0 if there is none.
func lineOf(source []byte, wanted func(r rune, size int) bool) int {
	line := 1
	for len(source) > 0 {
		r, size := utf8.DecodeRune(source)
		if wanted(r, size) {
			return line
		}
		if r == '\n' {
			line++
		}
		source = source[size:]
	}
	return 0
}

func isInvalidUTF8(r rune, size int) bool { return r == utf8.RuneError && size == 1 }

func isControl(r rune, _ int) bool {
	return r != '\t' && r != '\n' && r != '\r' && r != '\u0085' && unicode.IsControl(r)
}

func parseYAML(source []byte) (root *yaml.Node, err error) {
	// The library panics on a few malformed inputs instead of returning an error.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &Error{Reason: fmt.Sprintf("the YAML parser gave up: %v", p)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, errEmpty(1)
	case err != nil:
		return nil, yamlError(source, err)
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, &Error{Line: second.Line, Reason: "the file holds more than one YAML document"}
	case !errors.Is(err, io.EOF):
		return nil, yamlError(source, err)
	}
	root = document.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == nullTag {
		return nil, errEmpty(root.Line)
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
func yamlError(source []byte, err error) error {
	fault := &Error{Line: 1, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	if m := yamlErrorLine.FindStringSubmatch(fault.Reason); m != nil {
		fault.Line, _ = strconv.Atoi(m[1])
		fault.Reason = strings.TrimPrefix(fault.Reason, m[0])
		if yamlGrammarError.MatchString(fault.Reason) {
			fault.Line++
		}
	} else if m := yamlUnknownAnchor.FindStringSubmatch(fault.Reason); m != nil {
		before, _, _ := bytes.Cut(source, []byte("*"+m[1]))
		fault.Line = 1 + bytes.Count(before, []byte("\n"))
	} else if strings.HasPrefix(fault.Reason, "control characters") {
		fault.Line = lineOf(source, isControl)
	}
	return fault
}
