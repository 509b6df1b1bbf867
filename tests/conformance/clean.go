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

// clean removes the trial's namespaces with all that is in them. It touches no other
// namespace. It reports whether trying again may remove more; the last time, it does
// what it would rather not.
func (t *trial) clean(ctx context.Context, last bool) (again bool) {
	t.stuck = nil
	c := &cleaner{trial: t, last: last}
	for _, namespace := range t.namespaces {
		c.empty(ctx, namespace)
	}
	c.recover(ctx)
	return c.passing || t.doubtful
}

// left names what could not be removed.
func (t *trial) left() []string { return slices.Concat(t.files, t.stuck) }

// remaining names the trial's namespaces, which are not cleaned up.
func (t *trial) remaining(why string) []string {
	left := make([]string, len(t.namespaces))
	for i, namespace := range t.namespaces {
		left[i] = fmt.Sprintf("namespace %s: %s", namespace, why)
	}
	return left
}

// cleaner cleans up after a trial once.
type cleaner struct {
	*trial
	last    bool
	passing bool // something failed for a reason that may pass
}

func (c *cleaner) empty(ctx context.Context, namespace string) {
	at := namespacePath(namespace)
	if c.tabled {
		for _, table := range c.list(ctx, at+"/tables") {
			c.purge(ctx, namespace, table)
		}
	}
	if c.viewed {
		for _, view := range c.list(ctx, at+"/views") {
			c.remove(ctx, "view "+namespace+"."+view, at+"/views/"+view)
		}
	}
	c.remove(ctx, "namespace "+namespace, at)
}

// remove deletes one thing, and notes why it could not.
func (c *cleaner) remove(ctx context.Context, what, path string) (removed bool) {
	a := c.quiet(ctx, call{method: http.MethodDelete, path: path})
	if a.ok() || a.status == http.StatusNotFound {
		return true
	}
	c.passing = c.passing || a.passing()
	c.stuck = append(c.stuck, fmt.Sprintf("%s: %v", what, a))
	return false
}

// purge drops a table with its files, or without when the server will not.
func (c *cleaner) purge(ctx context.Context, namespace, name string) {
	path := tablesPath(namespace) + "/" + name
	purged := c.quiet(ctx, call{method: http.MethodDelete, path: path, query: "purgeRequested=true"})
	if purged.ok() || purged.status == http.StatusNotFound {
		return
	}
	if purged.passing() && !c.last {
		c.passing = true
		c.stuck = append(c.stuck, fmt.Sprintf("table %s.%s: %v", namespace, name, purged))
		return
	}
	if c.remove(ctx, "table "+namespace+"."+name, path) {
		c.files = append(c.files, fmt.Sprintf("the files of table %s.%s, which was dropped without purge: %v", namespace, name, purged))
	}
}

// passing reports whether a refusal to remove something may be gone a little later.
func (a answer) passing() bool {
	switch a.status {
	case http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented:
		return false
	}
	return a.err != nil || a.status >= 500
}

// recover gets tables back that were taken out of the catalog without purge, so
// that they can be purged. A server that has deleted their files refuses that.
func (c *cleaner) recover(ctx context.Context) {
	if !c.unpurged || c.recovered {
		return
	}
	if !c.server.offers(generated.FindOperation("registerTable")) {
		c.stranded("the server offers no registerTable to get it back and purge it")
		return
	}
	if c.recovery == "" {
		c.recovery = c.freshNamespace()
	}
	if a := c.quiet(ctx, makeNamespace(c.recovery, nil)); !a.ok() && a.status != http.StatusConflict {
		if c.passing = c.passing || a.passing(); !a.passing() || c.last {
			c.stranded(fmt.Sprintf("to purge it the kit needs a namespace: %v", a))
		}
		return
	}
	for i, uuid := range slices.Sorted(maps.Keys(c.metadata)) {
		c.quiet(ctx, register(c.recovery, fmt.Sprintf("recovered%d", i), c.metadata[uuid]))
	}
	c.recovered = true
	c.empty(ctx, c.recovery)
}

// stranded names the files of tables that may be out of the catalog.
func (c *cleaner) stranded(why string) {
	c.recovered = true
	for _, uuid := range slices.Sorted(maps.Keys(c.metadata)) {
		c.files = append(c.files, fmt.Sprintf("the files of a table, with metadata %s: %s", c.metadata[uuid], why))
	}
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
