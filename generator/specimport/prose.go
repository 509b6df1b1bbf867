package specimport

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// proseNames end the names of fields that explain instead of define: OpenAPI's
// own, and those of vendor extensions such as x-enum-descriptions.
var proseNames = []string{
	"description", "descriptions", "summary", "summaries", "title", "titles", "example", "examples",
	"comment", "comments", "note", "notes", "docs", "documentation", "reason",
}

// unlisted decides about a field that the grammar does not list: nil for prose,
// else the value without the sentences in it. OpenAPI's own prose comes here too;
// vendor extensions and keywords of later versions are facts until they read
// otherwise.
func unlisted(key string, value *yaml.Node) *yaml.Node {
	name := strings.ToLower(key)
	if slices.ContainsFunc(proseNames, func(prose string) bool { return strings.HasSuffix(name, prose) }) {
		return nil
	}
	if readsAsProse(value) {
		return nil
	}
	return withoutSentences(value)
}

// readsAsProse tells whether a value is made of sentences and nothing else.
func readsAsProse(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			if !readsAsProse(n.Content[i]) {
				return false
			}
		}
		return len(n.Content) > 0
	case yaml.SequenceNode:
		return len(n.Content) > 0 && !slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return !readsAsProse(item) })
	default:
		return n.Tag == strTag && isSentence(n.Value)
	}
}

// isSentence errs on the side of facts: a text is prose only when it has several
// words and ends like a sentence, or runs over several lines.
func isSentence(s string) bool {
	s = strings.TrimSpace(s)
	if len(strings.Fields(s)) < 2 {
		return false
	}
	return strings.ContainsAny(s, "\n\r") || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?")
}

// withoutSentences drops the entries that read as prose from the objects inside a
// value. Lists keep their length, since an item's place may mean something.
func withoutSentences(n *yaml.Node) *yaml.Node {
	out := *n
	out.Content = nil
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			if !readsAsProse(n.Content[i+1]) {
				out.Content = append(out.Content, n.Content[i], withoutSentences(n.Content[i+1]))
			}
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			out.Content = append(out.Content, withoutSentences(item))
		}
	}
	return &out
}
