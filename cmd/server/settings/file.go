package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fileLayer reads a YAML file. What cannot be a key's value is an error, and so
// is a second document, which would otherwise be passed over in silence.
func fileLayer(path string) (layer, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration file: %w", err)
	}
	var root map[string]any
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	if err := decoder.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("configuration file %s: %s", path, yamlProblem(err))
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("configuration file %s: there is more than one document", path)
	}
	f := fileReader{path: path, layer: layer{}}
	f.mapping("", root)
	return f.layer, errors.Join(f.problems...)
}

// yamlProblem keeps the line that the library names. Its complaints about types
// speak of Go, and may quote what was written.
func yamlProblem(err error) string {
	var types *yaml.TypeError
	if errors.As(err, &types) && !strings.Contains(err.Error(), "already defined") {
		return "it must be a mapping of keys to values"
	}
	text := quotation.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "$1")
	return strings.Join(strings.Fields(text), " ")
}

// quotation is what the library quotes of a value, such as a password that begins
// with an asterisk and so refers to an anchor.
var quotation = regexp.MustCompile(`(?s)(unknown anchor|cannot decode \S+) (?:'.*'|` + "`.*`" + `)`)

// fileReader turns the levels of a file into keys.
type fileReader struct {
	path     string
	layer    layer
	problems []error
}

func (f *fileReader) complain(format string, args ...any) {
	f.problems = append(f.problems, fmt.Errorf("configuration file %s: %w", f.path, fmt.Errorf(format, args...)))
}

func (f *fileReader) mapping(prefix string, m map[string]any) {
	// In order, so that the same file is always complained about in the same way.
	for _, name := range slices.Sorted(maps.Keys(m)) {
		f.item(prefix+name, m[name])
	}
}

func (f *fileReader) item(name string, content any) {
	key, known := find(name)
	below, isMapping := content.(map[string]any)
	switch {
	case content == nil && (known || isSection(name)):
		// As good as not written.
	case !known && isMapping && isSection(name):
		f.mapping(name+".", below)
	case !known:
		f.complain("unknown key %s", name)
	default:
		f.set(key, content)
	}
}

func (f *fileReader) set(key Key, content any) {
	if _, twice := f.layer[key.Name]; twice {
		f.complain("%s is set twice", key.Name)
		return
	}
	text, ok := scalar(content)
	if items, isList := content.([]any); isList {
		switch key.in(new(Settings)).(type) {
		case list, pairs:
			text, ok = joinItems(items)
		}
	}
	if !ok {
		f.complain("%s must be a single value (%s)", key.Name, key.Form())
		return
	}
	f.layer[key.Name] = entry{text, f.path}
}

func joinItems(items []any) (text string, ok bool) {
	names := make([]string, len(items))
	for i, item := range items {
		if names[i], ok = scalar(item); !ok {
			return "", false
		}
	}
	return strings.Join(names, ","), true
}

func scalar(content any) (text string, ok bool) {
	switch content := content.(type) {
	case string:
		return content, true
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(content), true
	}
	return "", false
}

// isSection reports whether keys stand below a name.
func isSection(name string) bool {
	for _, key := range Keys {
		if strings.HasPrefix(key.Name, name+".") {
			return true
		}
	}
	return false
}
