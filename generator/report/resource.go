package report

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/plan"
)

// resource is the operations on one kind of thing.
type resource struct {
	Number int // from 0, for links within the page
	Name   string
	Rows   []row
}

// resources groups the operations by what they work on, in the order of the
// document. A collection is a path segment that a parameter follows somewhere,
// as in tables/{table}. An operation belongs to the last collection in its path,
// or to the path's first segment when it has none. An action on a parent, such
// as registerTable on a namespace, belongs to the collection that its name ends
// in.
func resources(operations []plan.Operation) []resource {
	collections := collectionsOf(operations)
	var groups []resource
	index := map[string]int{}
	for _, op := range operations {
		name := resourceOf(op, collections)
		i, known := index[name]
		if !known {
			i = len(groups)
			index[name] = i
			groups = append(groups, resource{Number: i, Name: name})
		}
		groups[i].Rows = append(groups[i].Rows, row{op})
	}
	return groups
}

func collectionsOf(operations []plan.Operation) map[string]bool {
	collections := map[string]bool{}
	for _, op := range operations {
		segments := segmentsOf(op.Path)
		for i, s := range segments {
			if i > 0 && parameter(s) && !parameter(segments[i-1]) {
				collections[segments[i-1]] = true
			}
		}
	}
	return collections
}

func resourceOf(op plan.Operation, collections map[string]bool) string {
	segments := segmentsOf(op.Path)
	last := ""
	for i, s := range segments {
		if !collections[s] {
			continue
		}
		last = s
		if i == len(segments)-1 || i == len(segments)-2 && parameter(segments[i+1]) {
			return s
		}
	}
	// The path does not end in a collection, so its end is an action.
	for _, c := range longestFirst(collections) {
		if endsIn(op.ID, strings.TrimSuffix(c, "s")) {
			return c
		}
	}
	if last != "" {
		return last
	}
	for _, s := range segments {
		if s != "" && !parameter(s) {
			return s
		}
	}
	return "/"
}

// longestFirst lets generic-tables be tried before tables.
func longestFirst(names map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}

// endsIn compares the last word of an operation id with a collection's name,
// whose words are divided by dashes or not at all.
func endsIn(id, singular string) bool {
	plain := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(singular))
	return plain != "" && strings.HasSuffix(strings.ToLower(id), plain)
}

var version = regexp.MustCompile(`^v[0-9]+([a-z]+[0-9]*)?$`)

// segmentsOf splits a path and leaves out what stands before its subject: all up
// to a version such as v1, and Iceberg's {prefix}.
func segmentsOf(path string) []string {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range segments {
		if version.MatchString(s) {
			segments = segments[i+1:]
			break
		}
	}
	if len(segments) > 0 && parameter(segments[0]) {
		segments = segments[1:]
	}
	return segments
}

func parameter(segment string) bool { return strings.HasPrefix(segment, "{") }
