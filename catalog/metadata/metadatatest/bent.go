// Package metadatatest makes strange and large input for the tests of the metadata engine.
package metadatatest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// Bent returns sound JSON, bent in one to three places: a value replaced by one that programs have stumbled over, a
// member lost or moved, an element repeated. Bytes at random are seldom JSON and never a commit; this is nearly one.
func Bent(t *rapid.T, sound string) []byte {
	var body any
	decoder := json.NewDecoder(strings.NewReader(sound))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(1, 3).Draw(t, "bends") {
		body = bend(t, body)
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// bend changes one place in a JSON tree.
func bend(t *rapid.T, node any) any {
	switch node := node.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(node))
		if len(keys) == 0 {
			return strange(t)
		}
		key := rapid.SampledFrom(keys).Draw(t, "key")
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0:
			delete(node, key)
		case 1:
			node[rapid.SampledFrom(append(keys, "fields", "source-ids", "type", "element")).Draw(t, "other")] = node[key]
		default:
			node[key] = bend(t, node[key])
		}
		return node
	case []any:
		if len(node) == 0 {
			return append(node, strange(t))
		}
		i := rapid.IntRange(0, len(node)-1).Draw(t, "index")
		if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
			return append(node, node[i])
		}
		node[i] = bend(t, node[i])
		return node
	}
	return strange(t)
}

// strange returns a value that programs have stumbled over.
func strange(t *rapid.T) any {
	return rapid.SampledFrom([]any{
		nil, true, "", "x", "main", "void", "bucket[99999999999]", "truncate[0]", "decimal(99,99)", "fixed[-1]", "fixed[99999999999999999999]",
		"geography", "geometry(", "struct", "list", "map", "timestamp_ns", "\u0000", "00000000-0000-0000-0000-000000000000",
		json.Number("0"), json.Number("-1"), json.Number("1"), json.Number("2"), json.Number("1000"), json.Number("2147483647"),
		json.Number("2147483648"), json.Number("-2147483648"), json.Number("9223372036854775807"), json.Number("-9223372036854775808"),
		json.Number("9223372036854775808"), json.Number("1.5"), json.Number("1e400"),
		[]any{},
		map[string]any{},
		[]any{nil},
		map[string]any{"type": "struct"},
		map[string]any{"type": "struct", "fields": []any{}},
		map[string]any{"type": "list", "element": "int", "element-id": json.Number("1"), "element-required": true},
	}).Draw(t, "strange")
}
