package repair

import (
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// goHints drops extensions that tell another Go generator what to write: they
// name types, imports and fields that fit the code they were written for.
func goHints(f *fixer) error {
	f.doc.WalkStructure(func(p document.Pointer, n *document.Node) {
		var hints []string
		for name := range n.Members() {
			if isHint(name) {
				hints = append(hints, name)
			}
		}
		for _, name := range hints {
			n.Delete(name)
		}
		if len(hints) > 0 {
			f.fixed(p, "meant for other Go code, and dropped: %s", strings.Join(hints, ", "))
		}
	})
	return nil
}

func isHint(keyword string) bool {
	switch keyword {
	case "x-omitempty", "x-omitzero", "x-enum-varnames", "x-enumNames", "x-order":
		return true
	}
	return strings.HasPrefix(keyword, "x-go-") || strings.HasPrefix(keyword, "x-oapi-codegen-")
}
