package diff

import (
	"strings"

	"github.com/onceberg/onceberg/generator/plan"
)

// pair is an operation in both documents, or in one of them.
type pair struct{ old, new *plan.Operation }

// match finds each operation's counterpart: the one with the same id, or else
// the one with the same method and path. The order is that of the new document,
// with what is gone at the end.
func match(old, new *plan.Plan) []pair {
	byID, byRoute := map[string]*plan.Operation{}, map[string]*plan.Operation{}
	for i := range old.Operations {
		op := &old.Operations[i]
		byID[op.ID] = op
		if _, kept := new.Find(op.ID); !kept {
			byRoute[route(*op)] = op
		}
	}
	matched := map[*plan.Operation]bool{}
	var pairs []pair
	for i := range new.Operations {
		op := &new.Operations[i]
		before := byID[op.ID]
		if before == nil {
			before = byRoute[route(*op)]
		}
		matched[before] = true
		pairs = append(pairs, pair{before, op})
	}
	for i := range old.Operations {
		if op := &old.Operations[i]; !matched[op] {
			pairs = append(pairs, pair{op, nil})
		}
	}
	return pairs
}

// route is what a request shows of an operation: the names of path parameters
// are not part of it.
func route(op plan.Operation) string {
	segments := strings.Split(op.Path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "{}"
		}
	}
	return op.Method + " " + strings.Join(segments, "/")
}
