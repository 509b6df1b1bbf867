package conformance

import (
	"context"
	"net/http"
)

// commit puts a table from its first schema to its second. Executed again it
// finds the second one, and its requirement fails.
func commit(b table, step string) map[string]any {
	return map[string]any{
		"identifier": b.identifier(),
		"requirements": []any{
			map[string]any{"type": "assert-table-uuid", "uuid": b.uuid},
			map[string]any{"type": "assert-current-schema-id", "current-schema-id": 0},
		},
		"updates": []any{
			map[string]any{"action": "set-current-schema", "schema-id": 1},
			setStep(step),
		},
	}
}

// setStep makes a change. Two of them in one commit are a change however often they
// are executed: each time the table gets one version more.
func setStep(step string) map[string]any {
	return map[string]any{"action": "set-properties", "updates": map[string]string{"conform.step": step}}
}

func (b table) update(body map[string]any) call {
	return call{method: http.MethodPost, path: b.path(), body: body}
}

// changed is a commit of anything, whatever the table is like.
func (b table) changed(updates ...any) map[string]any {
	return map[string]any{
		"identifier":   b.identifier(),
		"requirements": []any{map[string]any{"type": "assert-table-uuid", "uuid": b.uuid}},
		"updates":      updates,
	}
}

// first brings a table back to its first schema.
func (b table) first() call {
	return b.update(b.changed(map[string]any{"action": "set-current-schema", "schema-id": 0}, setStep("0")))
}

// second makes a table's second schema the current one, as somebody else would.
func (b table) second() call {
	return b.update(b.changed(map[string]any{"action": "set-current-schema", "schema-id": 1}))
}

// schemed gives a table a second schema, of which the first stays the current one.
func (t *trial) schemed(ctx context.Context, namespace, name string) (table, error) {
	b, err := t.newTable(ctx, namespace, name)
	if err != nil {
		return b, err
	}
	_, err = t.do(ctx, b.update(b.changed(
		map[string]any{"action": "add-schema", "schema": schema(1, "id", "more"), "last-column-id": 2})))
	return b, err
}

// ahead is a table whose second schema is the current one already, so that a commit
// of it fails.
func (t *trial) ahead(ctx context.Context, namespace string) (table, error) {
	b, err := t.schemed(ctx, namespace, "ahead")
	if err == nil {
		_, err = t.do(ctx, b.second())
	}
	return b, err
}

func updateTable(ctx context.Context, t *trial) (*act, error) {
	here, err := t.newNamespace(ctx, nil)
	if err != nil {
		return nil, err
	}
	changed, err := t.schemed(ctx, here, "changed")
	if err != nil {
		return nil, err
	}
	return &act{
		variant: variant{changed.update(commit(changed, "1")), t.stateOf(changed)},
		reverse: t.doing(changed.first()),
		next:    changed.drop(),
		body:    ready(changed.update(changed.changed(setStep("2"))), t.stateOf(changed)),
		also:    []variant{{changed.update(changed.changed(setStep("4"), setStep("5"))), t.stateOf(changed)}},
		place: func(ctx context.Context) (variant, error) {
			other, err := t.schemed(ctx, here, "other")
			return variant{other.update(commit(other, "1")), t.stateOf(other)}, err
		},
		doomed: func(ctx context.Context) (doomed, error) {
			ahead, err := t.ahead(ctx, here)
			return doomed{variant{ahead.update(commit(ahead, "1")), t.stateOf(ahead)}, t.doing(ahead.first())}, err
		},
	}, nil
}

func (t *trial) stateOf(b table) func(context.Context) (state, error) {
	return t.tableState(b.namespace, b.name)
}

func transaction(changes ...any) call {
	return call{method: http.MethodPost, path: "/transactions/commit", body: map[string]any{"table-changes": changes}}
}

func commitTransaction(ctx context.Context, t *trial) (*act, error) {
	here, err := t.newNamespace(ctx, nil)
	if err != nil {
		return nil, err
	}
	one, err := t.schemed(ctx, here, "one")
	if err != nil {
		return nil, err
	}
	two, err := t.schemed(ctx, here, "two")
	if err != nil {
		return nil, err
	}
	pair := both(t.stateOf(one), t.stateOf(two))
	stepping := func(updates ...any) call {
		return transaction(one.changed(updates...), two.changed(updates...))
	}
	return &act{
		variant: variant{transaction(commit(one, "1"), commit(two, "1")), pair},
		reverse: func(ctx context.Context) error {
			if _, err := t.do(ctx, one.first()); err != nil {
				return err
			}
			_, err := t.do(ctx, two.first())
			return err
		},
		next:   one.drop(),
		growth: 2,
		body:   ready(stepping(setStep("2")), pair),
		also:   []variant{{stepping(setStep("4"), setStep("5")), pair}},
		doomed: func(ctx context.Context) (doomed, error) {
			ahead, err := t.ahead(ctx, here)
			return doomed{
				variant{transaction(one.changed(setStep("3")), commit(ahead, "3")), both(t.stateOf(one), t.stateOf(ahead))},
				t.doing(ahead.first()),
			}, err
		},
	}, nil
}
