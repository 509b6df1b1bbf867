package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
)

// DropTable removes a table from the catalog. Its files stay, for somebody to
// register them again, unless the client asks for a purge: that is noted in the
// same transaction and carried out by Run, so that nothing is ever deleted for a
// drop that did not take place.
func (c *Catalog) DropTable(ctx context.Context, request generated.DropTableRequestObject) (generated.DropTableResponseObject, error) {
	id, err := c.identify(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	purge := request.Params.PurgeRequested != nil && *request.Params.PurgeRequested
	err = c.write(ctx, func(w *database.Work) error {
		e, err := hold(ctx, w, id, database.Table)
		if err != nil {
			return err
		}
		if purge {
			if err := w.Schedule(ctx, database.DeleteTable, e.MetadataLocation, c.now()); err != nil {
				return err
			}
		}
		return w.Delete(ctx, e)
	})
	if err != nil {
		return nil, err
	}
	return generated.DropTable204Response{}, nil
}

// UnregisterTable removes a table from the catalog, leaves its files alone, and
// returns its last state.
func (c *Catalog) UnregisterTable(ctx context.Context, request generated.UnregisterTableRequestObject) (generated.UnregisterTableResponseObject, error) {
	id, err := c.identify(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	var last *tables.Table
	err = c.write(ctx, func(w *database.Work) error {
		e, err := hold(ctx, w, id, database.Table)
		if err != nil {
			return err
		}
		if last, err = c.readTable(ctx, e.MetadataLocation); err != nil {
			return err
		}
		return w.Delete(ctx, e)
	})
	if err != nil {
		return nil, err
	}
	summarizeTable(ctx, id, last, false)
	return unregistered(last), nil
}

func unregistered(t *tables.Table) generated.UnregisterTable200JSONResponse {
	return generated.UnregisterTable200JSONResponse{
		Body: generated.UnregisterTableResult{Metadata: t.Metadata, MetadataLocation: t.MetadataLocation},
	}
}
