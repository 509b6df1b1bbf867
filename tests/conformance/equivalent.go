package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"slices"
	"strconv"
	"strings"
)

// differ says in what two answers to one logical request are not equivalent;
// empty means that they are. Equivalent are answers of one status and media type
// whose bodies say the same: for a success all of its JSON but what may be secret or is made
// afresh for each answer, for a refusal its type and code. While nobody else
// changes anything, a newer state of the catalog is no excuse.
func differ(first, second answer) string {
	switch {
	case first.err != nil || second.err != nil:
		return fmt.Sprintf("%v, then %v", first, second)
	case first.status != second.status:
		return fmt.Sprintf("first %v, then %v", first, second)
	case first.mediaType() != second.mediaType():
		return fmt.Sprintf("first the Content-Type is %q, then %q", first.mediaType(), second.mediaType())
	case !first.ok():
		was, _ := first.problem()
		is, _ := second.problem()
		if was != is {
			return fmt.Sprintf("an error of type %q, then one of type %q", was, is)
		}
		return ""
	}
	was, is := public(decode(first.body)), public(decode(second.body))
	if was == nil && is == nil && !bytes.Equal(first.body, second.body) {
		return fmt.Sprintf("the bodies differ: %q, then %q", excerpt(first.body), excerpt(second.body))
	}
	if place := difference("", was, is); place != "" {
		return fmt.Sprintf("the bodies differ in %s", place)
	}
	return ""
}

// mediaType is that of an answer's body, without parameters.
func (a answer) mediaType() string {
	text := a.header.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(text); err == nil {
		return kind
	}
	return text
}

// difference is where two JSON values differ first, as a JSON pointer and both
// values; empty when they do not.
func difference(at string, was, is any) string {
	switch a := was.(type) {
	case map[string]any:
		if b, ok := is.(map[string]any); ok {
			return differentMember(at, a, b)
		}
	case []any:
		if b, ok := is.([]any); ok && len(a) == len(b) {
			for i := range a {
				if place := difference(at+"/"+strconv.Itoa(i), a[i], b[i]); place != "" {
					return place
				}
			}
			return ""
		}
	case json.Number:
		if b, ok := is.(json.Number); ok && plainNumber(a) == plainNumber(b) {
			return ""
		}
	}
	if a, b := literal(was), literal(is); a != b {
		return fmt.Sprintf("%s: %s, then %s", orBody(at), cut(a, 60), cut(b, 60))
	}
	return ""
}

// literal is a decoded value as JSON.
func literal(value any) string {
	text, _ := json.Marshal(value) // what was decoded can be encoded
	return string(text)
}

// differentMember is where two objects differ. A member that is null is none.
func differentMember(at string, was, is map[string]any) string {
	names := slices.Sorted(maps.Keys(was))
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, known := was[name]; !known {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if place := difference(at+"/"+name, was[name], is[name]); place != "" {
			return place
		}
	}
	return ""
}

// plainNumber spells equal numbers alike: 1.0, 1 and 10e-1. A database that keeps
// JSON as a value spells them in its own way.
func plainNumber(n json.Number) string {
	text, sign := strings.CutPrefix(strings.ToLower(n.String()), "-")
	mantissa, exponent, _ := strings.Cut(text, "e")
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			return n.String()
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	kept := strings.TrimRight(digits, "0")
	if kept == "" {
		return "0"
	}
	return fmt.Sprintf("%t %se%d", sign, kept, power-len(fraction)+len(digits)-len(kept))
}

func orBody(pointer string) string {
	if pointer == "" {
		return "the body"
	}
	return pointer
}
