package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// clean removes the trial's namespaces with all that is in them, and says what it
// could not remove. It touches no other namespace.
func (t *trial) clean(ctx context.Context) []string {
	var left []string
	for _, namespace := range t.namespaces {
		left = append(left, t.empty(ctx, namespace)...)
	}
	return left
}

func (t *trial) empty(ctx context.Context, namespace string) []string {
	at := namespacePath(namespace)
	if a := t.quiet(ctx, call{method: http.MethodGet, path: at}); a.status == http.StatusNotFound {
		return nil
	}
	var left []string
	for _, table := range t.list(ctx, at+"/tables") {
		path := at + "/tables/" + table
		purge := t.quiet(ctx, call{method: http.MethodDelete, path: path, query: "purgeRequested=true"})
		if purge.ok() || purge.status == http.StatusNotFound {
			continue
		}
		if a := t.quiet(ctx, call{method: http.MethodDelete, path: path}); !a.ok() && a.status != http.StatusNotFound {
			left = append(left, fmt.Sprintf("table %s.%s: %v", namespace, table, a))
			continue
		}
		left = append(left, fmt.Sprintf("the files of table %s.%s, which was dropped without purge: %v", namespace, table, purge))
	}
	for _, view := range t.list(ctx, at+"/views") {
		if a := t.quiet(ctx, call{method: http.MethodDelete, path: at + "/views/" + view}); !a.ok() && a.status != http.StatusNotFound {
			left = append(left, fmt.Sprintf("view %s.%s: %v", namespace, view, a))
		}
	}
	if a := t.quiet(ctx, call{method: http.MethodDelete, path: at}); !a.ok() && a.status != http.StatusNotFound {
		left = append(left, fmt.Sprintf("namespace %s: %v", namespace, a))
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
	return silent.settle(ctx, c, way{})
}
