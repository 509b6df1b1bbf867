package conformance

import (
	"context"
	"fmt"
	"net/http"
)

// view is a view of the trial's own.
type view struct {
	namespace, name string
	uuid, location  string // of the metadata
}

func viewsPath(namespace string) string { return namespacePath(namespace) + "/views" }

func (v view) path() string { return viewsPath(v.namespace) + "/" + v.name }

func (v view) drop() call { return call{method: http.MethodDelete, path: v.path()} }

func viewVersion(id int, namespace, sql string) map[string]any {
	return map[string]any{
		"version-id": id, "timestamp-ms": int64(1_700_000_000_000) + int64(id), "schema-id": 0,
		"summary":           map[string]string{"engine-name": "conform"},
		"default-namespace": []string{namespace},
		"representations":   []any{map[string]any{"type": "sql", "sql": sql, "dialect": "spark"}},
	}
}

func makeView(namespace, name string) call {
	return call{method: http.MethodPost, path: viewsPath(namespace), body: map[string]any{
		"name": name, "schema": schema(0, "id"), "view-version": viewVersion(1, namespace, "select 1 as id"),
		"properties": map[string]string{"conform.step": "0"},
	}}
}

// view makes a namespace with a view.
func (t *trial) view(ctx context.Context, name string) (view, error) {
	namespace, err := t.newNamespace(ctx, nil)
	if err != nil {
		return view{}, err
	}
	return t.newView(ctx, namespace, name)
}

func (t *trial) newView(ctx context.Context, namespace, name string) (view, error) {
	a, err := t.do(ctx, makeView(namespace, name))
	v := view{namespace, name, a.field("metadata", "view-uuid"), a.field("metadata-location")}
	if err == nil && (v.uuid == "" || v.location == "") {
		err = fmt.Errorf("the answer to creating a view lacks its view-uuid or metadata-location: %v", a)
	}
	return v, err
}

// viewState reads a view.
func (t *trial) viewState(namespace, name string) func(context.Context) (state, error) {
	return func(ctx context.Context) (state, error) {
		fields, err := t.read(ctx, viewsPath(namespace)+"/"+name)
		if err != nil {
			return state{}, err
		}
		if fields == nil {
			return plainly(0, "no view %s.%s", namespace, name), nil
		}
		metadata, _ := fields["metadata"].(map[string]any)
		uuid, location, properties := metadata["view-uuid"], fields["metadata-location"], ownProperties(metadata["properties"])
		gist := fmt.Sprintf("view %s.%s (uuid %s, version %v, %s, file %s)", namespace, name, short(uuid),
			metadata["current-version-id"], properties, short(location))
		return state{
			text:  fmt.Sprintf("%s of uuid %v, metadata %v", gist, uuid, location),
			brief: gist, versions: length(metadata["version-log"]),
		}, nil
	}
}

func (t *trial) stateOfView(v view) func(context.Context) (state, error) {
	return t.viewState(v.namespace, v.name)
}

func createView(ctx context.Context, t *trial) (*act, error) {
	here, err := t.newNamespace(ctx, nil)
	if err != nil {
		return nil, err
	}
	return t.made(t.ofViews(makeView), here, "made"), nil
}

func dropView(ctx context.Context, t *trial) (*act, error) {
	dropped, err := t.view(ctx, "dropped")
	if err != nil {
		return nil, err
	}
	missing := view{namespace: dropped.namespace, name: "missing"}
	return &act{
		variant: variant{dropped.drop(), t.stateOfView(dropped)},
		reverse: t.doing(makeView(dropped.namespace, dropped.name)),
		next:    makeView(dropped.namespace, dropped.name),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newView(ctx, dropped.namespace, "other")
			return variant{other.drop(), t.stateOfView(other)}, err
		},
		doomed: t.mended(missing.drop(), t.stateOfView(missing), makeView(missing.namespace, missing.name)),
	}, nil
}

// replace gives a view another version, and takes two steps, so that a second
// execution shows.
func (v view) replace(sql, step string) call {
	return v.changed(
		map[string]any{"action": "add-view-version", "view-version": viewVersion(2, v.namespace, sql)},
		map[string]any{"action": "set-current-view-version", "view-version-id": -1},
		setStep("on the way"), setStep(step))
}

func (v view) changed(updates ...any) call {
	return call{method: http.MethodPost, path: v.path(), body: map[string]any{
		"identifier":   map[string]any{"namespace": []string{v.namespace}, "name": v.name},
		"requirements": []any{map[string]any{"type": "assert-view-uuid", "uuid": v.uuid}},
		"updates":      updates,
	}}
}

// replaceView has no requirement that a second execution would fail; what tells
// of one is the metadata file, of which each execution writes another.
func replaceView(ctx context.Context, t *trial) (*act, error) {
	changed, err := t.view(ctx, "changed")
	if err != nil {
		return nil, err
	}
	missing := view{namespace: changed.namespace, name: "missing"}
	absent := missing.replace("select 2 as id", "1")
	absent.body.(map[string]any)["requirements"] = []any{}
	return &act{
		variant: variant{changed.replace("select 2 as id", "1"), t.stateOfView(changed)},
		reverse: t.doing(changed.changed(
			map[string]any{"action": "set-current-view-version", "view-version-id": 1}, setStep("0"))),
		next: changed.drop(),
		body: ready(changed.replace("select 3 as id", "2"), t.stateOfView(changed)),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newView(ctx, changed.namespace, "other")
			return variant{other.replace("select 2 as id", "1"), t.stateOfView(other)}, err
		},
		doomed: t.mended(absent, t.stateOfView(missing), makeView(missing.namespace, missing.name)),
	}, nil
}

func renameView(ctx context.Context, t *trial) (*act, error) {
	old, err := t.view(ctx, "old")
	if err != nil {
		return nil, err
	}
	here := old.namespace
	moved := func(from, to string) variant {
		return variant{rename("views", here, from, to), both(t.viewState(here, from), t.viewState(here, to))}
	}
	return &act{
		variant: moved("old", "new"),
		reverse: t.doing(rename("views", here, "new", "old")),
		next:    view{namespace: here, name: "new"}.drop(),
		body: func(ctx context.Context) (variant, error) {
			_, err := t.newView(ctx, here, "other")
			return moved("other", "another"), err
		},
		doomed: func(context.Context) (doomed, error) {
			return doomed{moved("missing", "found"), t.doing(makeView(here, "missing"))}, nil
		},
	}, nil
}

// registerView registers the metadata of a view that is still there: many
// catalogs delete a view's file with the view.
func registerView(ctx context.Context, t *trial) (*act, error) {
	source, err := t.view(ctx, "source")
	if err != nil {
		return nil, err
	}
	return t.made(t.ofViews(registering("/register-view", source.location)), source.namespace, "registered"), nil
}
