package conformance

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// namespacePath is the path of a namespace of one level. The kit's names need no
// escaping.
func namespacePath(name string) string { return "/namespaces/" + name }

func makeNamespace(name string, properties map[string]string) call {
	body := map[string]any{"namespace": []string{name}}
	if properties != nil {
		body["properties"] = properties
	}
	return call{method: http.MethodPost, path: "/namespaces", body: body}
}

func removeNamespace(name string) call {
	return call{method: http.MethodDelete, path: namespacePath(name)}
}

// newNamespace makes a namespace of the trial's own.
func (t *trial) newNamespace(ctx context.Context, properties map[string]string) (string, error) {
	name := t.freshNamespace()
	_, err := t.do(ctx, makeNamespace(name, properties))
	return name, err
}

// doing is a function that sends a call of the kit's own.
func (t *trial) doing(c call) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := t.do(ctx, c)
		return err
	}
}

// namespaceState reads a namespace.
func (t *trial) namespaceState(name string) func(context.Context) (state, error) {
	return func(ctx context.Context) (state, error) {
		fields, err := t.read(ctx, namespacePath(name))
		if err != nil {
			return state{}, err
		}
		if fields == nil {
			return plainly(0, "no namespace %s", name), nil
		}
		return plainly(-1, "namespace %s with %s", name, ownProperties(fields["properties"])), nil
	}
}

var firstProperties = map[string]string{"conform.step": "1"}

func createNamespace(_ context.Context, t *trial) (*act, error) {
	name, other := t.freshNamespace(), t.freshNamespace()
	return &act{
		variant: variant{makeNamespace(name, firstProperties), t.namespaceState(name)},
		reverse: t.doing(removeNamespace(name)),
		next:    removeNamespace(name),
		body:    ready(makeNamespace(other, firstProperties), t.namespaceState(other)),
		doomed: func(ctx context.Context) (doomed, error) {
			taken, err := t.newNamespace(ctx, nil)
			return doomed{
				variant{makeNamespace(taken, firstProperties), t.namespaceState(taken)},
				t.doing(removeNamespace(taken)),
			}, err
		},
	}, nil
}

func dropNamespace(ctx context.Context, t *trial) (*act, error) {
	name, err := t.newNamespace(ctx, nil)
	if err != nil {
		return nil, err
	}
	missing := t.freshNamespace()
	return &act{
		variant: variant{removeNamespace(name), t.namespaceState(name)},
		reverse: t.doing(makeNamespace(name, nil)),
		next:    makeNamespace(name, nil),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newNamespace(ctx, nil)
			return variant{removeNamespace(other), t.namespaceState(other)}, err
		},
		doomed: t.mended(removeNamespace(missing), t.namespaceState(missing), makeNamespace(missing, nil)),
	}, nil
}

// updateProperties removes a property that is not there when it is executed
// again: the answer names it as missing then.
func updateProperties(ctx context.Context, t *trial) (*act, error) {
	before := map[string]string{"conform.step": "0", "conform.gone": "not yet"}
	name, err := t.newNamespace(ctx, before)
	if err != nil {
		return nil, err
	}
	missing := t.freshNamespace()
	update := func(namespace, step string) call {
		return call{
			method: http.MethodPost, path: namespacePath(namespace) + "/properties",
			body: map[string]any{"removals": []string{"conform.gone"}, "updates": map[string]string{"conform.step": step}},
		}
	}
	return &act{
		variant: variant{update(name, "1"), t.namespaceState(name)},
		reverse: t.doing(call{
			method: http.MethodPost, path: namespacePath(name) + "/properties",
			body: map[string]any{"updates": before},
		}),
		next: removeNamespace(name),
		fits: func(a answer) string {
			removed, _ := a.fields()["removed"].([]any)
			if !slices.Contains(removed, any("conform.gone")) {
				return fmt.Sprintf("conform.gone, which the request removed, is not among the removed: %v", a)
			}
			return ""
		},
		body: ready(update(name, "2"), t.namespaceState(name)),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newNamespace(ctx, before)
			return variant{update(other, "1"), t.namespaceState(other)}, err
		},
		doomed: t.mended(update(missing, "1"), t.namespaceState(missing), makeNamespace(missing, before)),
	}, nil
}
