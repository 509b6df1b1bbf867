package conformance

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
)

// act is a request that is ready to be sent, with what the cases need to know of
// it.
type act struct {
	variant
	// reverse undoes the effect as somebody else would, so that the request
	// would take effect again if it were executed again.
	reverse func(context.Context) error
	// withdraw takes away what the request needs, as somebody else would, so that
	// it would be answered otherwise if it were executed again. It is for requests
	// whose effect nobody can see, which have no reverse.
	withdraw func(context.Context) error
	// next is a request of another operation on the same thing, which would take
	// effect.
	next call
	// body is another request to the same path, and place the same one to
	// another path. Both would take effect. Nil when there is none. What they
	// need is made when they are asked for, as few cases do.
	body, place func(context.Context) (variant, error)
	// also are further forms of the request, which would take effect too.
	also []variant
	// growth is how many versions one effect adds at most; 0 means 1.
	growth int
	// fits says in what a success does not tell of the effect; nil when any does.
	fits func(answer) string
	// doomed is refused for a reason that lies in the catalog; nil when there is
	// none such.
	doomed func(context.Context) (doomed, error)
}

// variant is a request with what shows its effect.
type variant struct {
	call call
	// state reads what the request changes; nil when nobody can see that.
	state func(context.Context) (state, error)
}

// ready is a variant that needs nothing more.
func ready(c call, state func(context.Context) (state, error)) func(context.Context) (variant, error) {
	return func(context.Context) (variant, error) { return variant{c, state}, nil }
}

// mended is a doomed request that needs nothing more, with the call that mends it.
func (t *trial) mended(c call, state func(context.Context) (state, error), mend call) func(context.Context) (doomed, error) {
	return func(context.Context) (doomed, error) { return doomed{variant{c, state}, t.doing(mend)}, nil }
}

// doomed is a request that is refused until mend has been called; then it would
// take effect.
type doomed struct {
	variant
	mend func(context.Context) error
}

// state is what the catalog shows of what a request changes.
type state struct {
	// text is for comparing; brief says the gist of it to people.
	text, brief string
	// versions counts the versions of what is changed; -1 when that is not
	// known.
	versions int
}

// subjects prepare the acts, by operationId.
var subjects = map[string]func(context.Context, *trial) (*act, error){
	"createNamespace":   createNamespace,
	"dropNamespace":     dropNamespace,
	"updateProperties":  updateProperties,
	"createTable":       createTable,
	"registerTable":     registerTable,
	"updateTable":       updateTable,
	"dropTable":         dropTable,
	"unregisterTable":   unregisterTable,
	"renameTable":       renameTable,
	"commitTransaction": commitTransaction,
	"createView":        createView,
	"replaceView":       replaceView,
	"dropView":          dropView,
	"renameView":        renameView,
	"registerView":      registerView,
	"planTableScan":     planTableScan,
	"cancelPlanning":    cancelPlanning,
	"fetchScanTasks":    fetchScanTasks,
}

// read reads a thing of the catalog; nil when it is not there.
func (t *trial) read(ctx context.Context, path string) (map[string]any, error) {
	c := call{method: http.MethodGet, path: path}
	a := t.again(ctx, c)
	switch {
	case a.err == nil && a.status == http.StatusNotFound:
		return nil, t.excused(c, nil) // it may be the read that is not there
	case !a.ok():
		return nil, t.excused(c, fmt.Errorf("reading the catalog: GET %s: %v", path, a))
	}
	fields := a.fields()
	if fields == nil {
		return nil, fmt.Errorf("reading the catalog: GET %s: the body is no JSON object: %v", path, a)
	}
	return fields, nil
}

// both puts the states of two things together.
func both(states ...func(context.Context) (state, error)) func(context.Context) (state, error) {
	return func(ctx context.Context) (state, error) {
		sum := state{}
		var texts, briefs []string
		for _, read := range states {
			one, err := read(ctx)
			if err != nil {
				return state{}, err
			}
			texts, briefs = append(texts, one.text), append(briefs, one.brief)
			if one.versions < 0 || sum.versions < 0 {
				sum.versions = -1
			} else {
				sum.versions += one.versions
			}
		}
		sum.text, sum.brief = strings.Join(texts, "; "), strings.Join(briefs, "; ")
		return sum, nil
	}
}

// plainly is a state that is told in full.
func plainly(versions int, format string, args ...any) state {
	text := fmt.Sprintf(format, args...)
	return state{text, text, versions}
}

// String shows the state to people.
func (s state) String() string { return s.brief }

// shift shows two states that differ, in full if their gist is the same.
func shift(was, is state) string {
	if was.text == is.text {
		return fmt.Sprintf("The catalog shows %q, as before", is.brief)
	}
	if was.brief != is.brief {
		return fmt.Sprintf("The catalog showed %q and now shows %q", was.brief, is.brief)
	}
	return fmt.Sprintf("The catalog showed %q and now shows %q", was.text, is.text)
}

// short is the beginning of a uuid, or the name of a file up to the first parts of
// its uuid.
func short(value any) string {
	text := path.Base(fmt.Sprint(value))
	return cut(text, 14)
}

// ownProperties are the properties that the kit sets, sorted. Servers add theirs.
func ownProperties(properties any) string {
	object, _ := properties.(map[string]any)
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if strings.HasPrefix(name, "conform.") {
			texts = append(texts, fmt.Sprintf("%s=%v", name, object[name]))
		}
	}
	return "{" + strings.Join(texts, " ") + "}"
}

// length counts a list; -1 when it is none.
func length(list any) int {
	elements, ok := list.([]any)
	if !ok {
		return -1
	}
	return len(elements)
}
