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

// schemed makes a namespace with tables that have two schemas, of which the
// first is the current one.
func (t *trial) schemed(ctx context.Context, names ...string) ([]table, error) {
	made, err := t.tables(ctx, names...)
	for _, b := range made {
		if err != nil {
			return nil, err
		}
		_, err = t.do(ctx, b.update(b.changed(
			map[string]any{"action": "add-schema", "schema": schema(1, "id", "more"), "last-column-id": 2})))
	}
	return made, err
}

func updateTable(ctx context.Context, t *trial) (*act, error) {
	made, err := t.schemed(ctx, "changed", "other", "ahead")
	if err != nil {
		return nil, err
	}
	changed, other, ahead := made[0], made[1], made[2]
	if _, err := t.do(ctx, ahead.second()); err != nil {
		return nil, err
	}
	return &act{
		variant: variant{changed.update(commit(changed, "1")), t.stateOf(changed)},
		reverse: t.doing(changed.first()),
		next:    changed.drop(),
		body:    &variant{changed.update(changed.changed(setStep("2"))), t.stateOf(changed)},
		place:   &variant{other.update(commit(other, "1")), t.stateOf(other)},
		doomed:  &doomed{variant{ahead.update(commit(ahead, "1")), t.stateOf(ahead)}, t.doing(ahead.first())},
	}, nil
}

func (t *trial) stateOf(b table) func(context.Context) (state, error) {
	return t.tableState(b.namespace, b.name)
}

func transaction(changes ...any) call {
	return call{method: http.MethodPost, path: "/transactions/commit", body: map[string]any{"table-changes": changes}}
}

func commitTransaction(ctx context.Context, t *trial) (*act, error) {
	made, err := t.schemed(ctx, "one", "two", "ahead")
	if err != nil {
		return nil, err
	}
	one, two, ahead := made[0], made[1], made[2]
	if _, err := t.do(ctx, ahead.second()); err != nil {
		return nil, err
	}
	pair := both(t.stateOf(one), t.stateOf(two))
	return &act{
		variant: variant{transaction(commit(one, "1"), commit(two, "1")), pair},
		reverse: func(ctx context.Context) error {
			for _, b := range []table{one, two} {
				if _, err := t.do(ctx, b.first()); err != nil {
					return err
				}
			}
			return nil
		},
		next:   one.drop(),
		growth: 2,
		body:   &variant{transaction(one.changed(setStep("2")), two.changed(setStep("2"))), pair},
		doomed: &doomed{
			variant{transaction(one.changed(setStep("3")), commit(ahead, "3")), both(t.stateOf(one), t.stateOf(ahead))},
			t.doing(ahead.first()),
		},
	}, nil
}
