package auth

import "strings"

// pattern is a name in which * stands for any text. Nothing else has a meaning of
// its own, and case counts.
type pattern string

// below is the pattern in the place of a last level that stands for any number
// of them, none included.
const below pattern = "**"

// matches goes from star to star, taking the first place where the text between
// two of them fits; what is behind the last star must be the end.
func (p pattern) matches(name string) bool {
	parts := strings.Split(string(p), "*")
	if len(parts) == 1 {
		return string(p) == name
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(name, first) {
		return false
	}
	name = name[len(first):]
	for _, part := range parts[1 : len(parts)-1] {
		_, rest, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = rest
	}
	return strings.HasSuffix(name, last)
}

// matchLevels holds a namespace against a pattern for each of its levels.
func matchLevels(patterns []pattern, levels []string) bool {
	if n := len(patterns); n > 0 && patterns[n-1] == below {
		patterns = patterns[:n-1]
		if len(levels) < len(patterns) {
			return false
		}
		levels = levels[:len(patterns)]
	}
	if len(patterns) != len(levels) {
		return false
	}
	for i, p := range patterns {
		if !p.matches(levels[i]) {
			return false
		}
	}
	return true
}
