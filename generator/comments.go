package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/specimport"
)

// comment prepares where doc comments come from. Unless they are the document's
// own, the document loses its prose first, so that the code is the same for a
// document with prose and for one without.
func (c Config) comment(d *document.Document) error {
	if c.DocComments == FromSpec || c.DocComments == "" {
		return nil
	}
	if err := specimport.Strip(d); err != nil {
		return err
	}
	if c.DocComments == NoComments {
		return nil
	}
	s, err := readSummaries(c.Summaries)
	if err != nil {
		return err
	}
	s.apply(d)
	return nil
}

// summaries are one-line comments of our own wording.
type summaries struct {
	Operations map[string]string `yaml:"operations"`
	Schemas    map[string]string `yaml:"schemas"`
}

func readSummaries(path string) (summaries, error) {
	var s summaries
	text, err := os.ReadFile(path)
	if err != nil {
		return s, fmt.Errorf("summaries: %w", err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&s); err != nil && !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("summaries %s: %w", path, plainYAMLError(err, text))
	}
	return s, nil
}

// apply writes the summaries where oapi-codegen looks for comments. A summary of
// something that this version of the document does not have is no error: one
// file serves several versions.
func (s summaries) apply(d *document.Document) {
	for _, item := range d.PathItems() {
		for _, method := range document.Methods {
			if op := item.Get(method); op != nil {
				if text := s.Operations[op.Get("operationId").Str()]; text != "" {
					op.Set("summary", document.NewString(text))
				}
			}
		}
	}
	for name, schema := range d.Root.At("components", "schemas").Members() {
		if text := s.Schemas[name]; text != "" && !schema.Has("$ref") {
			schema.Set("description", document.NewString(text))
		}
	}
}
