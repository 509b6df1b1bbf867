package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// RegisterTable adds a table whose metadata file exists, with its whole history,
// or repoints one if the client says so. The file is served as it is.
func (c *Catalog) RegisterTable(ctx context.Context, request generated.RegisterTableRequestObject) (generated.RegisterTableResponseObject, error) {
	wanted, err := registrationIn(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	id, err := c.identify(ctx, wanted.name)
	if err != nil {
		return nil, err
	}
	var found *tables.Table
	err = c.write(ctx, func(w *database.Work) error {
		found, err = c.registerTable(ctx, w, id, wanted.location, wanted.overwrite)
		return err
	})
	if err != nil {
		return nil, err
	}
	credentials := c.wantsCredentials(request.Params.XIcebergAccessDelegation)
	body, err := c.tableResult(ctx, id, found, found.Metadata, credentials)
	if err != nil {
		return nil, err
	}
	summarizeTable(ctx, id, found, credentials)
	return generated.RegisterTable200JSONResponse{
		Body: body, Headers: generated.RegisterTable200ResponseHeaders{ETag: etagOf(found)},
	}, nil
}

func (c *Catalog) registerTable(ctx context.Context, w *database.Work, id identifier, location string, overwrite bool) (*tables.Table, error) {
	n, err := space(ctx, &w.Reader, id.namespace, database.Shared)
	if err != nil {
		return nil, err
	}
	there, err := w.Entry(ctx, id.namespace, id.name, database.Exclusive)
	if err != nil {
		return nil, err
	}
	if there != nil && (there.Kind == database.View || !overwrite) {
		return nil, nameTaken(id, database.Table, there.Kind)
	}
	text, err := c.files.Read(ctx, location)
	if err != nil {
		return nil, err
	}
	found, err := tables.Register(location, text)
	if err != nil {
		return nil, err
	}
	e, err := c.tableEntry(id, n, found)
	if err != nil {
		return nil, err
	}
	if there == nil {
		return found, insert(ctx, w, id, e)
	}
	// The entry is held, so that nobody can have moved it.
	_, err = w.Swap(ctx, there, e.MetadataLocation, e.UUID)
	return found, err
}
