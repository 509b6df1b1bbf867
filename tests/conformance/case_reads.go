package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// readsIgnoreKey: a key on a read changes nothing, whatever it holds, and is not
// used up by it.
func readsIgnoreKey(ctx context.Context, t *trial) error {
	namespace := t.freshNamespace()
	reads, err := t.reads(ctx, namespace)
	if err != nil {
		return err
	}
	var wrong []string
	for _, c := range reads {
		plain := t.settle(ctx, c, way{})
		if plain.err != nil || plain.status >= 500 {
			return fmt.Errorf("%s %s: %v", c.method, c.path, plain)
		}
		for what, key := range map[string]string{"a key": newKey(), "what is no key": "not-a-key"} {
			if got := t.settle(ctx, c, with(key)); got.err != nil || got.status != plain.status {
				wrong = append(wrong, fmt.Sprintf("%s %s is answered %d, and with %s %v", c.method, c.path, plain.status, what, got))
			}
		}
	}
	if len(wrong) > 0 {
		return failf("%s", strings.Join(wrong, "; "))
	}
	missing := t.needs("createNamespace", "updateProperties", "loadNamespaceMetadata")
	switch {
	case missing == nil:
		return t.readsStayFresh(ctx, namespace)
	case len(reads) == 1:
		return skipf("the server advertises no read that could be asked for")
	}
	return remarkf("reads were not tried around a change: %v", missing)
}

// reads makes a namespace with a table, as far as the server offers that, and
// returns the reads that it offers: of what is there, and of what is not. The
// configuration is always among them.
func (t *trial) reads(ctx context.Context, namespace string) ([]call, error) {
	if t.needs("createNamespace") == nil {
		if _, err := t.do(ctx, makeNamespace(namespace, map[string]string{"conform.step": "0"})); err != nil {
			return nil, err
		}
	}
	if t.needs("createNamespace", "createTable") == nil {
		if _, err := t.newTable(ctx, namespace, "read"); err != nil {
			return nil, err
		}
	}
	reads := []call{configCall(t.server.target)}
	for _, path := range []string{
		"/namespaces", namespacePath(namespace), tablesPath(namespace),
		tablesPath(namespace) + "/read", tablesPath(namespace) + "/missing",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			c := call{method: method, path: path}
			if op := operationOf(c); op != nil && t.advertises(op) {
				reads = append(reads, c)
			}
		}
	}
	return reads, nil
}

// readsStayFresh uses one key on a read, on a change, and on the read again.
func (t *trial) readsStayFresh(ctx context.Context, namespace string) error {
	key := newKey()
	c := call{method: http.MethodGet, path: namespacePath(namespace)}
	before := t.settle(ctx, c, with(key))
	update := call{
		method: http.MethodPost, path: namespacePath(namespace) + "/properties",
		body: map[string]any{"updates": map[string]string{"conform.step": "1"}},
	}
	if got := t.settle(ctx, update, with(key)); !got.ok() {
		if fresh := t.settle(ctx, update, with(newKey())); !fresh.ok() {
			return t.blame(ctx, update, fresh)
		}
		return failf("a key that was sent with a read cannot be used any more: %v", got)
	}
	after := t.settle(ctx, c, with(key))
	if !before.ok() || !after.ok() {
		return fmt.Errorf("reading namespace %s: %v, then %v", namespace, before, after)
	}
	if differ(before, after) == "" {
		return failf("a read with a key is answered from a record: the catalog has changed and the answer has not (%v)", after)
	}
	return nil
}

// errorForm looks at the refusals of a bad key and of one that is used twice.
func errorForm(ctx context.Context, t *trial) error {
	if skip := t.needs("createNamespace"); skip != nil {
		return skip
	}
	name, other := t.freshNamespace(), t.freshNamespace()
	key := newKey()
	first := makeNamespace(name, nil)
	if a := t.settle(ctx, first, with(key)); !a.ok() {
		return t.blame(ctx, first, a)
	}
	var wrong []string
	refusals := 0
	for what, w := range map[string]way{"a malformed key": with("not-a-key"), "a key used twice": with(key)} {
		refusal := t.settle(ctx, makeNamespace(other, nil), w)
		if !refusal.refused() {
			continue // another case's finding
		}
		refusals++
		fields, _ := refusal.fields()["error"].(map[string]any)
		code := fmt.Sprint(fields["code"])
		kind, message := refusal.problem()
		if kind == "" || message == "" || code != fmt.Sprint(refusal.status) {
			wrong = append(wrong, fmt.Sprintf("the refusal of %s lacks error.type, error.message or an error.code that is the status: %v", what, refusal))
		}
	}
	if len(wrong) > 0 {
		return failf("%s", strings.Join(wrong, "; "))
	}
	if refusals == 0 {
		return skipf("the server refuses neither a malformed key nor one that is used twice")
	}
	return nil
}
