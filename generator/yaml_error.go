package generator

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	unknownKey = regexp.MustCompile(`field (\S+) not found in type \S+`)
	wrongKind  = regexp.MustCompile("line (\\d+): cannot unmarshal !!(\\S+)( `.*`)? into (\\S+)")
)

// plainYAMLError speaks of keys and of what YAML has where the library speaks of
// Go types.
func plainYAMLError(err error, text []byte) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	message = strings.TrimPrefix(message, "unmarshal errors:\n")
	message = unknownKey.ReplaceAllString(message, `unknown key "$1"`)
	message = wrongKind.ReplaceAllStringFunc(message, func(part string) string {
		found := wrongKind.FindStringSubmatch(part)
		line, _ := strconv.Atoi(found[1])
		return fmt.Sprintf("line %d: %s: %s where %s is wanted", line, keyAt(text, line), kindOf(found[2]), wantedBy(found[4]))
	})
	return errors.New(strings.Join(strings.Fields(message), " "))
}

// keyAt is the last key of the file that stands on the line or above it.
func keyAt(text []byte, line int) (key string) {
	var file yaml.Node
	if yaml.Unmarshal(text, &file) != nil || len(file.Content) == 0 || file.Content[0].Kind != yaml.MappingNode {
		return "the file"
	}
	for i, node := range file.Content[0].Content {
		if i%2 == 0 && node.Line <= line {
			key = node.Value
		}
	}
	return key
}

// kindOf says what a tag of YAML stands for.
func kindOf(tag string) string {
	switch tag {
	case "map":
		return "a mapping"
	case "seq":
		return "a list"
	}
	return "a single value"
}

// wantedBy says what a Go type stands for in YAML.
func wantedBy(goType string) string {
	switch {
	case strings.HasPrefix(goType, "map["), goType == "generator.Config", goType == "generator.summaries":
		return "a mapping"
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	}
	return "a single value"
}
