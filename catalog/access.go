package catalog

import (
	"context"
	"net/http"
	"strings"

	"github.com/onceberg/onceberg/runtime"
)

// Action is what somebody does to a namespace, table, view or function.
type Action string

// The actions, from the one that shows least. A rename drops one name and
// creates another.
const (
	// ActionList sees the names in a namespace.
	ActionList Action = "list"
	// ActionRead sees what a name stands for, and reads its files.
	ActionRead Action = "read"
	// ActionWrite changes what is there.
	ActionWrite Action = "write"
	// ActionCreate brings a new name into being.
	ActionCreate Action = "create"
	// ActionDrop makes a name vanish.
	ActionDrop Action = "drop"
)

// Actions lists all of them.
var Actions = []Action{ActionList, ActionRead, ActionWrite, ActionCreate, ActionDrop}

// Access is one action on one name. A request may need several.
type Access struct {
	Action Action
	// Kind is "namespace", "table", "view" or "function".
	Kind string
	// Namespace has the levels of the namespace, none for the root.
	Namespace []string
	// Name is that of a table, view or function, and empty for a namespace.
	Name string
}

// String reads "drop table sales.orders". It tells no two names apart and is for
// reading only.
func (a Access) String() string {
	name := strings.Join(a.Namespace, ".")
	switch {
	case a.Name != "":
		name += "." + a.Name
	case name == "":
		return string(a.Action) + " the root namespace"
	}
	return string(a.Action) + " " + a.Kind + " " + name
}

// Authorizer decides what callers may do. Its method is called from many
// goroutines, before a request is served or replayed, with names that need not
// belong to anything: a retry of a drop asks about what is gone.
type Authorizer interface {
	// Allows reports whether a caller may do something. An error, for a decision
	// that cannot be made, refuses the request: a *runtime.Error is answered as
	// it is, any other one as a 403 that does not quote it.
	Allows(ctx context.Context, principal string, access Access) (bool, error)
}

// Authorize returns what a runtime.Config takes as its Authorize: a hook that asks
// the authorizer about everything that a request would do, and refuses the
// request with the first thing that its caller may not. A nil authorizer allows
// everything.
func (c *Catalog) Authorize(a Authorizer) func(context.Context, *runtime.Request) error {
	if a == nil {
		return nil
	}
	return func(ctx context.Context, req *runtime.Request) error {
		accesses, err := c.accesses(req)
		if err != nil {
			return err
		}
		for _, access := range accesses {
			allowed, err := a.Allows(ctx, req.Principal, access)
			if err != nil {
				return err
			}
			if !allowed {
				return runtime.Errorf(http.StatusForbidden, "", "Not authorized to %s", access)
			}
		}
		return nil
	}
}
