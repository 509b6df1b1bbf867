package conformance

import (
	"context"
	"errors"
	"net/http"
	"net/url"
)

// Plans change nothing that the catalog shows. That one of these requests is executed
// again shows all the same, when the table that it is about has been dropped
// meanwhile: then it is refused.

func plan(b table, body map[string]any) call {
	return call{method: http.MethodPost, path: b.path() + "/plan", body: body}
}

// planned makes a table to be planned, and names one that is missing.
func (t *trial) planned(ctx context.Context) (planned, missing table, err error) {
	made, err := t.tables(ctx, "planned")
	if err != nil {
		return table{}, table{}, err
	}
	return made[0], table{namespace: made[0].namespace, name: "missing"}, nil
}

func planTableScan(ctx context.Context, t *trial) (*act, error) {
	planned, missing, err := t.planned(ctx)
	if err != nil {
		return nil, err
	}
	some := map[string]any{"select": []string{"id"}}
	return &act{
		variant:  variant{call: plan(planned, some)},
		withdraw: t.doing(planned.drop()),
		body:     ready(plan(planned, map[string]any{"select": []string{"id"}, "case-sensitive": false}), nil),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newTable(ctx, planned.namespace, "other")
			return variant{call: plan(other, some)}, err
		},
		doomed: t.mended(plan(missing, some), nil, makeTable(missing.namespace, missing.name)),
	}, nil
}

// cancel plans a table and returns the call that cancels that.
func (t *trial) cancel(ctx context.Context, b table) (call, error) {
	a, err := t.do(ctx, plan(b, map[string]any{}))
	if err != nil {
		return call{}, err
	}
	id := a.field("plan-id")
	if id == "" {
		return call{}, skipf("the server plans in one go: there is no plan-id to cancel")
	}
	return call{method: http.MethodDelete, path: b.path() + "/plan/" + url.PathEscape(id)}, nil
}

func cancelPlanning(ctx context.Context, t *trial) (*act, error) {
	planned, missing, err := t.planned(ctx)
	if err != nil {
		return nil, err
	}
	c, err := t.cancel(ctx, planned)
	if err != nil {
		return nil, err
	}
	return &act{
		variant:  variant{call: c},
		withdraw: t.doing(planned.drop()),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newTable(ctx, planned.namespace, "other")
			if err != nil {
				return variant{}, err
			}
			c, err := t.cancel(ctx, other)
			return variant{call: c}, err
		},
		// When the table is there, it is the plan that is not.
		doomed: t.mended(call{method: http.MethodDelete, path: missing.path() + "/plan/conform-none"}, nil,
			makeTable(missing.namespace, missing.name)),
	}, nil
}

func fetch(b table, task string) call {
	return call{method: http.MethodPost, path: b.path() + "/tasks", body: map[string]any{"plan-task": task}}
}

// fetchScanTasks asks for a task that the server gave out. Where it gave out none, it
// asks for one that never was: the kit cannot write the files that would make a plan
// long enough to be told in parts, but a refusal is an outcome like another, and keys
// stand for it just as well.
func fetchScanTasks(ctx context.Context, t *trial) (*act, error) {
	planned, missing, err := t.planned(ctx)
	if err != nil {
		return nil, err
	}
	a, err := t.do(ctx, plan(planned, map[string]any{}))
	var skip *skipped
	if err != nil && !errors.As(err, &skip) {
		return nil, err
	}
	const none, noneEither = "conform-no-task-1", "conform-no-task-2"
	task := none
	if tasks, _ := a.fields()["plan-tasks"].([]any); len(tasks) > 0 {
		task, _ = tasks[0].(string)
	}
	c, another, elsewhere := fetch(planned, task), fetch(planned, noneEither), fetch(missing, task)
	unknown := t.settle(ctx, another, way{note: "without a key"})
	gone := t.settle(ctx, elsewhere, way{note: "without a key"})
	another.refusal, elsewhere.refusal = &unknown, &gone
	if task == none {
		if unknown.status != http.StatusNotFound {
			return nil, skipf("the plan of an empty table has no plan-tasks to fetch, and a task that never was is answered %v", unknown)
		}
		c.refusal = &unknown
		t.note = "the plan of an empty table has no tasks: asked for was one that never was, and is refused"
	}
	made := &act{variant: variant{call: c}, body: ready(another, nil), place: ready(elsewhere, nil)}
	if !c.served(gone) {
		made.withdraw = t.doing(planned.drop())
		// When the table is there, it is the task that is not.
		made.doomed = t.mended(elsewhere, nil, makeTable(missing.namespace, missing.name))
	}
	return made, nil
}
