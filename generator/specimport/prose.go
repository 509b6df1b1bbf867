package specimport

import (
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
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
func unlisted(key string, value *document.Node) *document.Node {
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
func readsAsProse(n *document.Node) bool {
	switch n.Kind {
	case document.Object:
		for _, value := range n.Members() {
			if !readsAsProse(value) {
				return false
			}
		}
		return len(n.Fields) > 0
	case document.Array:
		for _, item := range n.Elements() {
			if !readsAsProse(item) {
				return false
			}
		}
		return len(n.Items) > 0
	default:
		return isSentence(n.Str())
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

// withoutSentences drops the members that read as prose from the objects inside a
// value. Lists keep their length, since an item's place may mean something.
func withoutSentences(n *document.Node) *document.Node {
	out := like(n)
	out.Text = n.Text
	for name, value := range n.Members() {
		if !readsAsProse(value) {
			out.Fields = append(out.Fields, document.Field{Name: name, Value: withoutSentences(value)})
		}
	}
	for _, item := range n.Elements() {
		out.Items = append(out.Items, withoutSentences(item))
	}
	return out
}
