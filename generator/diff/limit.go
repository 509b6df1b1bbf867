package diff

import (
	"math/big"
	"strings"
)

// limitEffect says what a changed limit does to the values that it limits.
func limitEffect(keyword, was, is string) effect {
	switch {
	case remarks[keyword] || strings.HasPrefix(keyword, "content") || keyword == "xml":
		return harmless
	case was == "":
		return narrowed
	case is == "":
		return widened
	}
	before, okBefore := new(big.Rat).SetString(was)
	after, okAfter := new(big.Rat).SetString(is)
	if !okBefore || !okAfter {
		return replaced
	}
	higher := after.Cmp(before) > 0
	switch {
	case strings.HasPrefix(keyword, "min") || keyword == "exclusiveMinimum":
		if higher {
			return narrowed
		}
		return widened
	case strings.HasPrefix(keyword, "max") || keyword == "exclusiveMaximum":
		if higher {
			return widened
		}
		return narrowed
	}
	return replaced
}
