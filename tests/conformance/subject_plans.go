package conformance

import (
	"context"
	"net/http"
	"net/url"
)

func plan(b table, body map[string]any) call {
	return call{method: http.MethodPost, path: b.path() + "/plan", body: body}
}

// planTableScan changes nothing that the catalog shows: answers are all there is
// to judge by, above all the plan-id.
func planTableScan(ctx context.Context, t *trial) (*act, error) {
	made, err := t.tables(ctx, "planned", "other")
	if err != nil {
		return nil, err
	}
	planned, other := made[0], made[1]
	missing := table{namespace: planned.namespace, name: "missing"}
	some := map[string]any{"select": []string{"id"}}
	return &act{
		variant: variant{call: plan(planned, some)},
		body:    &variant{call: plan(planned, map[string]any{"select": []string{"id"}, "case-sensitive": false})},
		place:   &variant{call: plan(other, some)},
		doomed:  &doomed{variant{call: plan(missing, some)}, t.doing(makeTable(missing.namespace, missing.name))},
	}, nil
}

func cancelPlanning(ctx context.Context, t *trial) (*act, error) {
	made, err := t.tables(ctx, "planned")
	if err != nil {
		return nil, err
	}
	a, err := t.do(ctx, plan(made[0], map[string]any{}))
	if err != nil {
		return nil, err
	}
	id := a.field("plan-id")
	if id == "" {
		return nil, skipf("the server plans in one go: there is no plan-id to cancel")
	}
	return &act{
		variant: variant{call: call{method: http.MethodDelete, path: made[0].path() + "/plan/" + url.PathEscape(id)}},
	}, nil
}

func fetchScanTasks(ctx context.Context, t *trial) (*act, error) {
	made, err := t.tables(ctx, "planned")
	if err != nil {
		return nil, err
	}
	a, err := t.do(ctx, plan(made[0], map[string]any{}))
	if err != nil {
		return nil, err
	}
	tasks, _ := a.fields()["plan-tasks"].([]any)
	if len(tasks) == 0 {
		return nil, skipf("the plan of an empty table has no plan-tasks to fetch")
	}
	return &act{variant: variant{call: call{
		method: http.MethodPost, path: made[0].path() + "/tasks", body: map[string]any{"plan-task": tasks[0]},
	}}}, nil
}
