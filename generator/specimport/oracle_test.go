package specimport_test

import (
	"fmt"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The oracle removes prose from decoded data in its own way: it has no grammar of
// OpenAPI, but a list of the keys whose children are names. What remains of a
// source must equal what remains of its import.

var (
	// nameKeys hold maps whose keys someone chose.
	nameKeys = []string{
		"properties", "patternProperties", "dependentSchemas", "$defs", "schemas", "parameters", "responses", "headers",
		"requestBodies", "securitySchemes", "links", "callbacks", "pathItems", "paths", "webhooks", "content", "encoding", "variables",
	}
	// dataKeys hold values that are not to be looked into.
	dataKeys  = []string{"default", "enum", "const", "required", "mapping", "security"}
	proseKeys = []string{"description", "summary", "title", "example", "examples", "externalDocs", "$comment"}
)

func withoutProse(value any) any { return removeProse(value, false) }

func removeProse(value any, keysAreNames bool) any {
	switch value := value.(type) {
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = removeProse(item, false)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, child := range value {
			switch {
			case keysAreNames:
				out[key] = removeProse(child, false)
			case slices.Contains(dataKeys, key):
				out[key] = child
			case key == "scopes":
				out[key] = blankedValues(child)
			case key == "title" && (value["version"] != nil || value["const"] != nil): // info's, a constant's
				out[key] = child
			case !slices.Contains(proseKeys, key):
				out[key] = removeProse(child, slices.Contains(nameKeys, key))
			}
		}
		return out
	}
	return value
}

func blankedValues(value any) any {
	out := map[string]any{}
	for name := range value.(map[string]any) {
		out[name] = ""
	}
	return out
}

// decoded reads YAML into the data model of JSON: keys are strings.
func decoded(t testing.TB, source []byte) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(source, &value); err != nil {
		t.Fatalf("decode: %v\n%s", err, source)
	}
	return stringKeys(value)
}

func stringKeys(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = stringKeys(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = stringKeys(value[key])
		}
	case map[any]any:
		out := map[string]any{}
		for key, child := range value {
			out[fmt.Sprint(key)] = stringKeys(child)
		}
		return out
	}
	return value
}
