package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// table is a table of the trial's own.
type table struct {
	namespace, name string
	uuid, location  string // of the metadata
}

func tablesPath(namespace string) string { return namespacePath(namespace) + "/tables" }

func (b table) path() string { return tablesPath(b.namespace) + "/" + b.name }

func (b table) identifier() map[string]any {
	return map[string]any{"namespace": []string{b.namespace}, "name": b.name}
}

func (b table) drop() call { return call{method: http.MethodDelete, path: b.path()} }

// column is a schema of one or two columns.
func schema(id int, columns ...string) map[string]any {
	fields := []any{}
	for i, name := range columns {
		fields = append(fields, map[string]any{"id": i + 1, "name": name, "type": "long", "required": false})
	}
	return map[string]any{"type": "struct", "schema-id": id, "fields": fields}
}

func makeTable(namespace, name string) call {
	return call{method: http.MethodPost, path: tablesPath(namespace), body: map[string]any{
		"name": name, "schema": schema(0, "id"), "properties": map[string]string{"conform.step": "0"},
	}}
}

func (t *trial) newTable(ctx context.Context, namespace, name string) (table, error) {
	a, err := t.do(ctx, makeTable(namespace, name))
	b := table{namespace, name, a.field("metadata", "table-uuid"), a.field("metadata-location")}
	if err == nil && b.uuid == "" {
		err = fmt.Errorf("the answer to creating a table has no metadata with a table-uuid: %v", a)
	}
	return b, err
}

// tables makes a namespace with tables of these names.
func (t *trial) tables(ctx context.Context, names ...string) ([]table, error) {
	namespace, err := t.newNamespace(ctx, nil)
	if err != nil {
		return nil, err
	}
	var made []table
	for _, name := range names {
		b, err := t.newTable(ctx, namespace, name)
		if err != nil {
			return nil, err
		}
		made = append(made, b)
	}
	return made, nil
}

// tableState reads a table.
func (t *trial) tableState(namespace, name string) func(context.Context) (state, error) {
	return func(ctx context.Context) (state, error) {
		fields, err := t.read(ctx, tablesPath(namespace)+"/"+name)
		if err != nil {
			return state{}, err
		}
		if fields == nil {
			return plainly(0, "no table %s.%s", namespace, name), nil
		}
		metadata, _ := fields["metadata"].(map[string]any)
		uuid, location, properties := metadata["table-uuid"], fields["metadata-location"], ownProperties(metadata["properties"])
		gist := fmt.Sprintf("table %s.%s (uuid %s, schema %v, %s, file %s)", namespace, name, short(uuid),
			metadata["current-schema-id"], properties, short(location))
		return state{
			text:  fmt.Sprintf("%s of uuid %v, updated %v, metadata %v", gist, uuid, metadata["last-updated-ms"], location),
			brief: gist, versions: length(metadata["metadata-log"]),
		}, nil
	}
}

func createTable(ctx context.Context, t *trial) (*act, error) {
	here, err := t.newNamespace(ctx, nil)
	if err != nil {
		return nil, err
	}
	return t.made(t.ofTables(makeTable), here, "made"), nil
}

func dropTable(ctx context.Context, t *trial) (*act, error) {
	made, err := t.tables(ctx, "dropped")
	if err != nil {
		return nil, err
	}
	dropped := made[0]
	missing := table{namespace: dropped.namespace, name: "missing"}
	return &act{
		variant: variant{dropped.drop(), t.tableState(dropped.namespace, dropped.name)},
		reverse: t.doing(makeTable(dropped.namespace, dropped.name)),
		next:    makeTable(dropped.namespace, dropped.name),
		// To be dropped with its files is something else.
		body: ready(purged(dropped), t.stateOf(dropped)),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newTable(ctx, dropped.namespace, "other")
			return variant{other.drop(), t.stateOf(other)}, err
		},
		doomed: t.mended(missing.drop(), t.stateOf(missing), makeTable(missing.namespace, missing.name)),
	}, nil
}

func purged(b table) call {
	c := b.drop()
	c.query = "purgeRequested=true"
	return c
}

func register(namespace, name, location string) call {
	return registering("/register", location)(namespace, name)
}

// registerTable registers the metadata of a table that the kit has made and
// dropped without purge.
func registerTable(ctx context.Context, t *trial) (*act, error) {
	made, err := t.tables(ctx, "source")
	if err != nil {
		return nil, err
	}
	source := made[0]
	if source.location == "" {
		return nil, errors.New("the answer to creating a table has no metadata-location")
	}
	if _, err := t.do(ctx, source.drop()); err != nil {
		return nil, err
	}
	return t.made(t.ofTables(registering("/register", source.location)), source.namespace, "registered"), nil
}

func unregister(namespace, name string) call {
	return call{method: http.MethodPost, path: tablesPath(namespace) + "/" + name + "/unregister"}
}

func unregisterTable(ctx context.Context, t *trial) (*act, error) {
	made, err := t.tables(ctx, "known")
	if err != nil {
		return nil, err
	}
	known := made[0]
	here := known.namespace
	return &act{
		variant: variant{unregister(here, known.name), t.tableState(here, known.name)},
		reverse: t.doing(register(here, known.name, known.location)),
		next:    register(here, known.name, known.location),
		place: func(ctx context.Context) (variant, error) {
			other, err := t.newTable(ctx, here, "other")
			return variant{unregister(here, other.name), t.stateOf(other)}, err
		},
		doomed: t.mended(unregister(here, "missing"), t.tableState(here, "missing"), makeTable(here, "missing")),
	}, nil
}

func rename(kind, namespace, from, to string) call {
	end := func(name string) map[string]any {
		return map[string]any{"namespace": []string{namespace}, "name": name}
	}
	return call{
		method: http.MethodPost, path: "/" + kind + "/rename",
		body: map[string]any{"source": end(from), "destination": end(to)},
	}
}

func renameTable(ctx context.Context, t *trial) (*act, error) {
	made, err := t.tables(ctx, "old")
	if err != nil {
		return nil, err
	}
	here := made[0].namespace
	moved := func(from, to string) variant {
		return variant{rename("tables", here, from, to), both(t.tableState(here, from), t.tableState(here, to))}
	}
	return &act{
		variant: moved("old", "new"),
		reverse: t.doing(rename("tables", here, "new", "old")),
		next:    table{namespace: here, name: "new"}.drop(),
		body: func(ctx context.Context) (variant, error) {
			_, err := t.newTable(ctx, here, "other")
			return moved("other", "another"), err
		},
		doomed: func(context.Context) (doomed, error) {
			return doomed{moved("missing", "found"), t.doing(makeTable(here, "missing"))}, nil
		},
	}, nil
}
