package conformance

import (
	"context"
	"net/http"
)

// maker makes a table or a view under a name, by creating or registering it.
type maker struct {
	make, drop func(namespace, name string) call
	state      func(namespace, name string) func(context.Context) (state, error)
	// create makes one that stands in the way.
	create func(namespace, name string) call
}

func (t *trial) ofTables(make func(namespace, name string) call) maker {
	drop := func(namespace, name string) call { return table{namespace: namespace, name: name}.drop() }
	return maker{make, drop, t.tableState, makeTable}
}

func (t *trial) ofViews(make func(namespace, name string) call) maker {
	drop := func(namespace, name string) call { return view{namespace: namespace, name: name}.drop() }
	return maker{make, drop, t.viewState, makeView}
}

// made is what there is to ask about making something of that name.
func (t *trial) made(m maker, here, name string) *act {
	return &act{
		variant: variant{m.make(here, name), m.state(here, name)},
		reverse: t.doing(m.drop(here, name)),
		next:    m.drop(here, name),
		body:    ready(m.make(here, "another"), m.state(here, "another")),
		place: func(ctx context.Context) (variant, error) {
			there, err := t.newNamespace(ctx, nil)
			return variant{m.make(there, name), m.state(there, name)}, err
		},
		doomed: func(ctx context.Context) (doomed, error) {
			_, err := t.do(ctx, m.create(here, "taken"))
			return doomed{variant{m.make(here, "taken"), m.state(here, "taken")}, t.doing(m.drop(here, "taken"))}, err
		},
	}
}

// registering is a request for the metadata at a location, to the end of a path.
func registering(end, location string) func(namespace, name string) call {
	return func(namespace, name string) call {
		return call{
			method: http.MethodPost, path: namespacePath(namespace) + end,
			body: map[string]any{"name": name, "metadata-location": location},
		}
	}
}
