package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/onceberg/onceberg/generated"
)

// clean removes the trial's namespaces with all that is in them, and says what it
// could not remove. It touches no other namespace.
func (t *trial) clean(ctx context.Context) []string {
	var left []string
	for _, namespace := range t.namespaces {
		left = append(left, t.empty(ctx, namespace)...)
	}
	return append(left, t.recover(ctx)...)
}

// remaining names the trial's namespaces, which are not cleaned up.
func (t *trial) remaining(why string) []string {
	left := make([]string, len(t.namespaces))
	for i, namespace := range t.namespaces {
		left[i] = fmt.Sprintf("namespace %s: %s", namespace, why)
	}
	return left
}

func (t *trial) empty(ctx context.Context, namespace string) []string {
	at := namespacePath(namespace)
	var left []string
	if t.tabled {
		for _, table := range t.list(ctx, at+"/tables") {
			left = append(left, t.purge(ctx, namespace, table)...)
		}
	}
	if t.viewed {
		for _, view := range t.list(ctx, at+"/views") {
			left = append(left, t.remove(ctx, "view "+namespace+"."+view, at+"/views/"+view)...)
		}
	}
	return append(left, t.remove(ctx, "namespace "+namespace, at)...)
}

// remove deletes one thing, and says why it could not.
func (t *trial) remove(ctx context.Context, what, path string) []string {
	if a := t.quiet(ctx, call{method: http.MethodDelete, path: path}); !a.ok() && a.status != http.StatusNotFound {
		return []string{fmt.Sprintf("%s: %v", what, a)}
	}
	return nil
}

// purge drops a table with its files, or without when the server will not.
func (t *trial) purge(ctx context.Context, namespace, name string) []string {
	path := tablesPath(namespace) + "/" + name
	purged := t.quiet(ctx, call{method: http.MethodDelete, path: path, query: "purgeRequested=true"})
	if purged.ok() || purged.status == http.StatusNotFound {
		return nil
	}
	if left := t.remove(ctx, "table "+namespace+"."+name, path); left != nil {
		return left
	}
	return []string{fmt.Sprintf("the files of table %s.%s, which was dropped without purge: %v", namespace, name, purged)}
}

// recover gets tables back that were taken out of the catalog without purge, so
// that they can be purged. A server that has deleted their files refuses that.
func (t *trial) recover(ctx context.Context) []string {
	if !t.unpurged {
		return nil
	}
	if !t.server.offers(generated.FindOperation("registerTable")) {
		return t.stranded("the server offers no registerTable to get it back and purge it")
	}
	namespace := t.freshNamespace()
	if a := t.quiet(ctx, makeNamespace(namespace, nil)); !a.ok() {
		return t.stranded(fmt.Sprintf("to purge it the kit needs a namespace: %v", a))
	}
	for i, uuid := range slices.Sorted(maps.Keys(t.metadata)) {
		t.quiet(ctx, register(namespace, fmt.Sprintf("recovered%d", i), t.metadata[uuid]))
	}
	return t.empty(ctx, namespace)
}

// stranded names the files of tables that may be out of the catalog.
func (t *trial) stranded(why string) []string {
	var left []string
	for _, uuid := range slices.Sorted(maps.Keys(t.metadata)) {
		left = append(left, fmt.Sprintf("the files of a table, with metadata %s: %s", t.metadata[uuid], why))
	}
	return left
}

// list returns the names that a listing shows. The trial made no more than one
// page holds; a server without views lists none.
func (t *trial) list(ctx context.Context, path string) []string {
	a := t.quiet(ctx, call{method: http.MethodGet, path: path})
	var listing struct {
		Identifiers []struct {
			Name string `json:"name"`
		} `json:"identifiers"`
	}
	if !a.ok() || json.Unmarshal(a.body, &listing) != nil {
		return nil
	}
	names := make([]string, len(listing.Identifiers))
	for i, id := range listing.Identifiers {
		names[i] = id.Name
	}
	return names
}

// quiet sends a call of which reports show nothing.
func (t *trial) quiet(ctx context.Context, c call) answer {
	silent := &trial{server: t.server, options: t.options}
	return silent.own(ctx, c)
}
