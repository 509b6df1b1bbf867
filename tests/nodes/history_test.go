package nodes

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
)

// mutation is one keyed request, and all answers its client got to it.
type mutation struct {
	request

	answers []answer
}

// history collects what clients saw. It is safe for concurrent use.
type history struct {
	mu        sync.Mutex
	mutations map[string]*mutation // by key
}

func (h *history) add(r request, answers ...answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mutations == nil {
		h.mutations = map[string]*mutation{}
	}
	m := h.mutations[r.key]
	if m == nil {
		m = &mutation{request: r}
		h.mutations[r.key] = m
	}
	m.answers = append(m.answers, answers...)
}

// best returns the most telling of the answers to a request.
func (h *history) best(r request) (best answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	best.err = errNobodyAnswered
	for _, a := range h.mutations[r.key].answers {
		if a.final() || !best.final() && !a.again() {
			best = a
		}
	}
	return best
}

var errNobodyAnswered = errors.New("nobody answered")

// unsettled returns the requests to which no answer was final.
func (h *history) unsettled() (requests []request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.mutations {
		if !slices.ContainsFunc(m.answers, answer.final) {
			requests = append(requests, m.request)
		}
	}
	return requests
}

// holds fails the test for everything in the history that contradicts the
// promise, given the resources that were there before.
func (h *history) holds(t *testing.T, before, after *ledger) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, violation := range violations(h.mutations, before, after) {
		t.Error(violation)
	}
}

// violations holds what clients saw against what the database holds:
//
//   - An acknowledged mutation was applied exactly once, by the execution that
//     the answer names.
//   - A mutation whose client was told a final 4xx was not applied.
//   - No mutation was applied twice, whatever its client was told.
//   - The final answers to one key are equal, and a refusal is one that the
//     backend gives.
//   - The resources are what the executions make of them, one after the other.
func violations(mutations map[string]*mutation, before, after *ledger) (found []string) {
	for _, key := range slices.Sorted(maps.Keys(mutations)) {
		m := mutations[key]
		for _, violation := range m.violations(after.executions[key]) {
			found = append(found, fmt.Sprintf("%v: %s; answers: %v", m.request, violation, m.answers))
		}
	}
	for key, done := range after.executions {
		if mutations[key] == nil && before.executions[key] == nil {
			found = append(found, fmt.Sprintf("executions that nobody asked for: %v", done))
		}
	}
	return append(found, chainViolations(before, after)...)
}

// violations checks one mutation against its executions.
func (m *mutation) violations(done []execution) (found []string) {
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if len(done) > 1 {
		say("applied %d times", len(done))
	}
	var first *answer
	for i, a := range m.answers {
		switch {
		case !a.final():
			continue
		case first == nil:
			first = &m.answers[i]
		case !a.equal(*first):
			say("%v and %v differ", *first, a)
		}
		switch id, named := markIn(a.body); {
		case a.success() && len(done) == 0:
			say("acknowledged and not applied")
		case a.success() && named && id != done[0].ID:
			say("acknowledged as execution %d, applied as %d", id, done[0].ID)
		case a.success() && !named && m.operation != "dropNamespace":
			say("a success that names no execution")
		case a.refused() && len(done) > 0:
			say("refused, and applied by node %s", done[0].Node)
		case a.refused() && !refusals[a.kind]:
			say("an answer that the backend does not give")
		}
	}
	return found
}

// refusals are the types of the errors that the backend answers with.
var refusals = map[string]bool{
	"AlreadyExistsException": true, "NoSuchNamespaceException": true, "CommitFailedException": true,
}

// chainViolations repeats all executions on the resources that were there
// before. Numbers of executions of one resource are drawn under its row's lock,
// so they are in the order of their effects.
func chainViolations(before, after *ledger) (found []string) {
	var all []execution
	for key, done := range after.executions {
		if before.executions[key] == nil {
			all = append(all, done...)
		}
	}
	slices.SortFunc(all, func(a, b execution) int { return int(a.ID - b.ID) })
	versions := maps.Clone(before.versions)
	for _, e := range all {
		was, exists := versions[e.Resource]
		creates := e.Operation == "createNamespace"
		if creates == exists {
			found = append(found, fmt.Sprintf("%s %s: existed before: %t", e.Operation, e.Resource, exists))
		}
		switch e.Operation {
		case "dropNamespace":
			delete(versions, e.Resource)
			continue
		case "updateTable", "updateProperties":
			if e.Version != was+1 {
				found = append(found, fmt.Sprintf("%s %s: from version %d to %d", e.Operation, e.Resource, was, e.Version))
			}
		}
		versions[e.Resource] = e.Version
	}
	if !maps.Equal(versions, after.versions) {
		found = append(found, fmt.Sprintf("the executions make %v, the database holds %v", versions, after.versions))
	}
	return found
}
