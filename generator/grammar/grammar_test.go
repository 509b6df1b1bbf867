package grammar

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryKindIsDescribedAndEveryKeyStandsOnce(t *testing.T) {
	t.Parallel()
	for kind, o := range objects {
		var seen []string
		for _, key := range Needs(kind) {
			if PlaceOf(kind, key).Form == Unlisted {
				t.Errorf("%s: %s is needed and not listed", kind, key)
			}
		}
		for _, f := range o.fields {
			if slices.Contains([]Form{One, Each, Named}, f.rule.Form) != (f.rule.Of != "") {
				t.Errorf("%s: %s: form and kind do not go together", kind, f.names)
			}
			if _, described := objects[f.rule.Of]; f.rule.Of != "" && !described {
				t.Errorf("%s: %s: no keys of %q are listed", kind, f.names, f.rule.Of)
			}
			for _, name := range strings.Fields(f.names) {
				if slices.Contains(seen, name) {
					t.Errorf("%s: %s stands twice", kind, name)
				}
				seen = append(seen, name)
			}
		}
	}
}

func TestPlaceOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind Kind
		key  string
		want Rule
	}{
		{PathItem, "post", Rule{One, Operation}},
		{Schema, "properties", Rule{Named, Schema}},
		{Schema, "description", Rule{}},
		{Schema, "x-go-type", Rule{}},
		{Responses, "200", Rule{One, Response}},
		{Paths, "/description", Rule{One, PathItem}},
		{Paths, "x-post", Rule{}},
		{Response, "description", Rule{Form: Required}},
		{"no such kind", "type", Rule{}},
	} {
		if got := PlaceOf(c.kind, c.key).Rule; got != c.want {
			t.Errorf("PlaceOf(%q, %q) = %v, want %v", c.kind, c.key, got, c.want)
		}
	}
	inOrder := []string{"parameters", "post", "unknown"}
	for i := 1; i < len(inOrder); i++ {
		if PlaceOf(PathItem, inOrder[i-1]).Rank >= PlaceOf(PathItem, inOrder[i]).Rank {
			t.Errorf("%s does not come before %s", inOrder[i-1], inOrder[i])
		}
	}
	if PlaceOf(PathItem, "post").Rank != PlaceOf(PathItem, "get").Rank {
		t.Error("the methods of a path do not keep their order")
	}
}
