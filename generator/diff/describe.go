package diff

import (
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// maxArms is how many arms of a union a description names.
const maxArms = 4

// describe says in a few words what a schema is: "integer int64", "array of
// Snapshot", "map of string".
func (s side) describe(at spot) string {
	u := peel(at)
	text := named(u.ref)
	if u.ref == "" {
		text = s.describeInline(u.spot)
	}
	if _, nullable := u.shaped["nullable"]; nullable {
		return text + " or null"
	}
	return text
}

func (s side) describeInline(at spot) string {
	sh := s.shape(at)
	text := sh.typeText()
	switch {
	case len(sh.arms) > 0:
		text = s.describeArms(sh.arms)
	case text == "":
		text = "anything"
	case sh.items.spot.node != nil:
		text = "array of " + s.describe(sh.items.spot)
	case sh.values.spot.node != nil && len(sh.fields) == 0:
		text = "map of " + s.describe(sh.values.spot)
	}
	if sh.facts["nullable"].text == "true" {
		text += " or null"
	}
	return text
}

func (s side) describeArms(arms []spot) string {
	var words []string
	for i, arm := range arms {
		if i == maxArms {
			words = append(words, "…")
			break
		}
		words = append(words, s.describe(arm))
	}
	return "one of " + strings.Join(words, ", ")
}

// named gives a component's name.
func named(ref document.Pointer) string { return ref.Last() }
