package conformance

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// differ says in what two answers to one logical request are not equivalent;
// empty means that they are. Equivalent are answers of one status whose bodies
// say the same: for a success all of its JSON but what may be secret or is made
// afresh for each answer, for a refusal its type and code. While nobody else
// changes anything, a newer state of the catalog is no excuse.
func differ(first, second answer) string {
	switch {
	case first.err != nil || second.err != nil:
		return fmt.Sprintf("%v, then %v", first, second)
	case first.status != second.status:
		return fmt.Sprintf("first %v, then %v", first, second)
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

// difference is where two JSON values differ first, as a JSON pointer and both
// values; empty when they do not.
func difference(at string, was, is any) string {
	objects, ok := was.(map[string]any)
	others, both := is.(map[string]any)
	if !ok || !both {
		if a, b := encode(was), encode(is); !bytes.Equal(a, b) {
			return fmt.Sprintf("%s: %s, then %s", orBody(at), cut(string(a), 60), cut(string(b), 60))
		}
		return ""
	}
	names := slices.Sorted(maps.Keys(objects))
	for name := range others {
		if _, known := objects[name]; !known {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if place := difference(at+"/"+name, objects[name], others[name]); place != "" {
			return place
		}
	}
	return ""
}

func orBody(pointer string) string {
	if pointer == "" {
		return "the body"
	}
	return pointer
}
