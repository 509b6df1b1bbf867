package settings

import (
	"maps"
	"slices"
	"strings"
)

// pairs are names with values, written name=value and separated by commas. A
// value may be a secret.
type pairs struct{ to *map[string]string }

func (v pairs) form() string { return "name=value" }

// String shows the names alone.
func (v pairs) String() string {
	var shown []string
	for _, name := range slices.Sorted(maps.Keys(*v.to)) {
		shown = append(shown, name+"="+masked)
	}
	return strings.Join(shown, ",")
}

func (v pairs) set(s string) error {
	*v.to = nil
	if strings.TrimSpace(s) == "" {
		return nil
	}
	read := map[string]string{}
	for pair := range strings.SplitSeq(s, ",") {
		name, content, found := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		if _, twice := read[name]; !found || name == "" || twice {
			return mustBe("a list of name=value, each name once")
		}
		read[name] = content
	}
	*v.to = read
	return nil
}
