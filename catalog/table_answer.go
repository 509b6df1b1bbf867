package catalog

import (
	"context"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
)

// loadedTable returns the table that a request's path names, as its file says.
func (c *Catalog) loadedTable(ctx context.Context, name string) (identifier, *tables.Table, error) {
	id, e, err := c.entryNamed(ctx, name)
	if err != nil {
		return id, nil, err
	}
	t, err := c.readTable(ctx, e.MetadataLocation)
	return id, t, answerTo(err)
}

// entryNamed returns the entry of the table that a request's path names.
func (c *Catalog) entryNamed(ctx context.Context, name string) (identifier, *database.Entry, error) {
	id, err := c.identify(ctx, name)
	if err != nil {
		return id, nil, err
	}
	e, err := c.entryOf(ctx, id, database.Table)
	return id, e, err
}

// tableResult is what createTable, registerTable and loadTable answer: the table
// as it is shown, and fresh credentials if the client is to have some.
func (c *Catalog) tableResult(ctx context.Context, id identifier, t *tables.Table, shown []byte, credentials bool) (generated.LoadTableResult, error) {
	result := generated.LoadTableResult{Metadata: shown}
	if t.MetadataLocation != "" {
		result.MetadataLocation = nullable.NewNullableWithValue(t.MetadataLocation)
	}
	if credentials {
		vended, err := c.vend(ctx, id, t)
		if err != nil {
			return result, err
		}
		result.StorageCredentials = &vended
	}
	return result, nil
}

// vend asks the configured Credentials for a table's.
func (c *Catalog) vend(ctx context.Context, id identifier, t *tables.Table) ([]generated.StorageCredential, error) {
	header, err := t.Header()
	if err != nil {
		return nil, err
	}
	vended, err := c.config.Credentials.Vend(ctx, Storage{
		Namespace: id.namespace, Name: id.name, Location: header.Location, MetadataLocation: t.MetadataLocation,
	})
	if vended == nil {
		vended = []generated.StorageCredential{}
	}
	return vended, err
}

// etagOf is the tag of a table that is shown whole, nil for a staged one.
func etagOf(t *tables.Table) *string {
	if t.MetadataLocation == "" {
		return nil
	}
	tag := tables.ETag(t.MetadataLocation, tables.All)
	return &tag
}
