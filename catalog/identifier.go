package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/runtime"
)

// identifier is the name of a table or view.
type identifier struct {
	namespace levels
	name      string
}

// String joins everything by dots, as messages do.
func (i identifier) String() string { return i.namespace.String() + "." + i.name }

// check refuses what could not be addressed later.
func (i identifier) check() *runtime.Error {
	if err := i.namespace.check(); err != nil {
		return err
	}
	switch {
	case i.name == "":
		return badRequest("Name is empty")
	case notAllowed(i.name):
		return badRequest("Name has a character that is not allowed: %q", i.name)
	case len(i.name) > database.MaxName:
		return badRequest("Name is %d bytes long, more than %d", len(i.name), database.MaxName)
	}
	return nil
}

// identify reads the name of a request that has the namespace in its path.
func (c *Catalog) identify(ctx context.Context, name string) (identifier, error) {
	namespace, err := c.separator.fromPath(ctx)
	if err != nil {
		return identifier{}, err
	}
	id := identifier{namespace, name}
	if err := id.check(); err != nil {
		return identifier{}, err
	}
	return id, nil
}

// entry reads the table or view of a name from a unit of work or outside of one.
// It returns nil when there is none.
func entry(ctx context.Context, r *database.Reader, id identifier) (*database.Entry, error) {
	return r.Entry(ctx, id.namespace, id.name, database.Unlocked)
}

// entryOf returns the entry of a name if it is of the kind, and otherwise the
// 404 that the kind has, which is the same when the namespace is missing: clients
// look for table.files by asking for a table in a namespace of the table's name.
func (c *Catalog) entryOf(ctx context.Context, id identifier, kind database.Kind) (*database.Entry, error) {
	e, err := entry(ctx, c.db.Read(ctx), id)
	if err != nil {
		return nil, answerTo(err)
	}
	if e == nil || e.Kind != kind {
		return nil, noSuch(id, kind)
	}
	return e, nil
}

// hold is entryOf in a unit of work, which then has the entry for itself.
func hold(ctx context.Context, w *database.Work, id identifier, kind database.Kind) (*database.Entry, error) {
	e, err := w.Entry(ctx, id.namespace, id.name, database.Exclusive)
	if err != nil {
		return nil, err
	}
	if e == nil || e.Kind != kind {
		return nil, noSuch(id, kind)
	}
	return e, nil
}

func noSuch(id identifier, kind database.Kind) *runtime.Error {
	if kind == database.View {
		return noSuchView(id)
	}
	return noSuchTable(id)
}

// space returns a namespace, held as asked for, or its 404.
func space(ctx context.Context, r *database.Reader, name levels, held database.Lock) (*database.Namespace, error) {
	n, err := r.Namespace(ctx, name, held)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, noSuchNamespace(name)
	}
	return n, nil
}
