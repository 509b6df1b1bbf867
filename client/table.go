package client

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/runtime"
)

// prefixParameter is the path parameter that a server may leave out, or let span
// several segments: clients put its value into paths as it is.
const prefixParameter = "{prefix}"

// table finds the operation of a request. It is never changed once made.
type table map[string][]route // by method

// route is the path template of an operation, in segments.
type route struct {
	op   *runtime.Operation
	head []string // up to {prefix}; all of them when there is none
	tail []string // after {prefix}
	open bool     // there is a {prefix}
}

// match is what a request was found to be.
type match struct {
	op *runtime.Operation
	// base is the path of the server's URL, to which "/v1/config" is added.
	base string
}

func newTable(operations []*runtime.Operation) (table, error) {
	t, keyed := table{}, false
	for i, op := range operations {
		if op == nil {
			return nil, fmt.Errorf("client: Options.Operations[%d] is nil", i)
		}
		r, err := newRoute(op)
		if err != nil {
			return nil, fmt.Errorf("client: Options.Operations[%d] (%s): %w", i, op.ID, err)
		}
		t[op.Method] = append(t[op.Method], r)
		keyed = keyed || op.Idempotent
	}
	if !keyed {
		return nil, errors.New("client: Options.Operations has no operation that takes a key")
	}
	for _, routes := range t {
		slices.SortStableFunc(routes, func(a, b route) int { return slices.CompareFunc(a.all(), b.all(), literalFirst) })
	}
	return t, nil
}

func newRoute(op *runtime.Operation) (route, error) {
	rest, ok := strings.CutPrefix(op.Path, "/")
	segments := strings.Split(rest, "/")
	switch {
	case !ok || segments[0] == "" || isParameter(segments[0]):
		return route{}, fmt.Errorf("the path %q must begin with / and a fixed segment", op.Path)
	case op.Idempotent && op.KeyHeader == "":
		return route{}, errors.New("it takes a key, but KeyHeader is empty")
	case op.Idempotent && isRead(op.Method):
		return route{}, fmt.Errorf("it takes a key, but %s is a read", op.Method)
	}
	if i := slices.Index(segments, prefixParameter); i >= 0 {
		return route{op: op, head: segments[:i], tail: segments[i+1:], open: true}, nil
	}
	return route{op: op, head: segments}, nil
}

func (r route) all() []string { return slices.Concat(r.head, r.tail) }

// find returns the operation that a server would take a request for. Where the
// server's own path ends and the template begins is not known, and a name may
// look like either; so, of several readings, that one counts whose server is
// known, then the one with the shortest prefix, as routers prefer fixed segments
// to parameters, then the one with the shortest base.
func (t table) find(method, path string, known func(base string) bool) (match, bool) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return match{}, false
	}
	segments := strings.Split(rest, "/")
	var best match
	bestRank := -1
	base := 0 // length of what comes before the segment
	for i, segment := range segments {
		for _, r := range t[method] {
			span, ok := r.match(segments[i:])
			if !ok {
				continue
			}
			m := match{op: r.op, base: path[:base]}
			rank := len(segments) - span
			if known(m.base) {
				rank += len(segments) + 1
			}
			if rank > bestRank {
				best, bestRank = m, rank
			}
		}
		base += 1 + len(segment)
	}
	return best, bestRank >= 0
}

// match reports whether the template fits a path from its first segment to its
// last, and how many segments its prefix takes.
func (r route) match(path []string) (span int, ok bool) {
	span = len(path) - len(r.head) - len(r.tail)
	if span < 0 || span > 0 && !r.open {
		return 0, false
	}
	prefix := path[len(r.head) : len(r.head)+span]
	return span, fits(r.head, path) && fits(r.tail, path[len(r.head)+span:]) && !slices.Contains(prefix, "")
}

// fits compares a template with the segments at the beginning of a path.
func fits(template, path []string) bool {
	for i, want := range template {
		if got := path[i]; isParameter(want) && got == "" || !isParameter(want) && got != want {
			return false
		}
	}
	return true
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

// literalFirst orders the segments of templates so that fixed ones are tried
// before parameters.
func literalFirst(a, b string) int {
	switch {
	case isParameter(a) == isParameter(b):
		return 0
	case isParameter(a):
		return 1
	}
	return -1
}

func isRead(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, "":
		return true
	}
	return false
}
