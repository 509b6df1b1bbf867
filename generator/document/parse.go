package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

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

// Parse reads one document, YAML or JSON in UTF-8, into a tree. Aliases and merge
// keys are replaced by what they stand for, keys are strings however they are
// written, and so are dates, which JSON does not know.
//
// It refuses what is empty or no object, duplicate keys, aliases that contain
// themselves or stand for absurdly much, and values that JSON cannot express.
// Every refusal is an *Error. It does not look at the meaning; Check does.
func Parse(file string, data []byte) (*Document, error) {
	sum := sha256.Sum256(data)
	d := &Document{File: file, SHA256: hex.EncodeToString(sum[:])}
	source, fault := decode(data)
	if fault == nil {
		d.Root, fault = build(source)
	}
	if fault != nil {
		fault.File = file
		return nil, fault
	}
	return d, nil
}

// Clone returns a deep copy of the document.
func (d *Document) Clone() *Document {
	c := *d
	c.Root = d.Root.Clone()
	return &c
}

// decode reads the text into YAML's node form, from which the rest of Parse is
// the same for YAML and JSON. Its faults name no file yet.
func decode(data []byte) (*yaml.Node, *Error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case !utf8.Valid(data):
		return nil, &Error{Line: lineOf(data, isInvalidUTF8), Problem: "the document is not UTF-8"}
	case len(bytes.TrimSpace(data)) == 0:
		return nil, emptyAt(1)
	case !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")):
		return decodeYAML(data)
	case json.Valid(data):
		return decodeJSON(data)
	}
	source, fault := decodeYAML(data)
	if fault != nil {
		return nil, jsonError(data) // braces around a whole file mean JSON
	}
	return source, nil
}

func emptyAt(line int) *Error {
	return &Error{Line: line, Problem: "the document is empty"}
}

// lineOf returns the line of the first rune that is wanted, 0 if there is none.
func lineOf(data []byte, wanted func(r rune, size int) bool) int {
	line := 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if wanted(r, size) {
			return line
		}
		if r == '\n' {
			line++
		}
		data = data[size:]
	}
	return 0
}

func isInvalidUTF8(r rune, size int) bool { return r == utf8.RuneError && size == 1 }
