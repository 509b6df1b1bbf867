package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// RenameTable gives a table another name, in the same or another namespace.
func (c *Catalog) RenameTable(ctx context.Context, _ generated.RenameTableRequestObject) (generated.RenameTableResponseObject, error) {
	from, to, err := renameIn(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	err = c.write(ctx, func(w *database.Work) error {
		e, err := hold(ctx, w, from, database.Table)
		if err != nil {
			return err
		}
		n, err := space(ctx, &w.Reader, to.namespace, database.Exclusive)
		if err != nil {
			return err
		}
		return rename(ctx, w, e, from, to, n)
	})
	if err != nil {
		return nil, err
	}
	return generated.RenameTable204Response{}, nil
}

// RenameView gives a view another name. Unlike RenameTable it looks for the
// namespace first, as the reference does.
func (c *Catalog) RenameView(ctx context.Context, _ generated.RenameViewRequestObject) (generated.RenameViewResponseObject, error) {
	from, to, err := renameIn(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	err = c.write(ctx, func(w *database.Work) error {
		n, err := space(ctx, &w.Reader, to.namespace, database.Exclusive)
		if err != nil {
			return err
		}
		e, err := hold(ctx, w, from, database.View)
		if err != nil {
			return err
		}
		return rename(ctx, w, e, from, to, n)
	})
	if err != nil {
		return nil, err
	}
	return generated.RenameView204Response{}, nil
}

// rename moves an entry that is held to a namespace that is held, where nobody
// can therefore take the name meanwhile. Metadata and location stay as they are.
func rename(ctx context.Context, w *database.Work, e *database.Entry, from, to identifier, n *database.Namespace) error {
	there, err := entry(ctx, &w.Reader, to)
	switch {
	case err != nil:
		return err
	case there == nil:
		return w.Rename(ctx, e, n, to.name)
	case there.ID == e.ID:
		return nil
	}
	return renameTaken(from, to, there.Kind)
}

func renameTaken(from, to identifier, there database.Kind) *runtime.Error {
	if there == database.View {
		return alreadyExists("Cannot rename %s to %s. View already exists", from, to)
	}
	return alreadyExists("Cannot rename %s to %s. Table already exists", from, to)
}
