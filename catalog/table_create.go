package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// CreateTable creates a table, or lays one out that a later commit creates.
func (c *Catalog) CreateTable(ctx context.Context, request generated.CreateTableRequestObject) (generated.CreateTableResponseObject, error) {
	wanted, err := tables.ParseCreate(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	id, err := c.identify(ctx, wanted.Name)
	if err != nil {
		return nil, err
	}
	var made *tables.Table
	if wanted.Stage {
		made, err = c.stageTable(ctx, id, wanted)
	} else {
		err = c.write(ctx, func(w *database.Work) error {
			made, err = c.createTable(ctx, w, id, wanted)
			return err
		})
	}
	if err != nil {
		return nil, answerTo(err)
	}
	credentials := c.wantsCredentials(request.Params.XIcebergAccessDelegation)
	body, err := c.tableResult(ctx, id, made, made.Metadata, credentials)
	if err != nil {
		return nil, err
	}
	summarizeTable(ctx, id, made, credentials)
	return generated.CreateTable200JSONResponse{
		Body: body, Headers: generated.CreateTable200ResponseHeaders{ETag: etagOf(made)},
	}, nil
}

// stageTable lays a table out. Nothing becomes visible, and nothing is reserved.
func (c *Catalog) stageTable(ctx context.Context, id identifier, wanted *tables.CreateRequest) (*tables.Table, error) {
	r := c.db.Read(ctx)
	n, err := free(ctx, r, id, database.Table, database.Unlocked)
	if err != nil {
		return nil, err
	}
	location := c.placed(wanted.Location, id, n)
	if err := c.allowed(location); err != nil {
		return nil, err
	}
	return wanted.Build(location, c.now(), c.newUUID)
}

func (c *Catalog) createTable(ctx context.Context, w *database.Work, id identifier, wanted *tables.CreateRequest) (*tables.Table, error) {
	n, err := free(ctx, &w.Reader, id, database.Table, database.Shared)
	if err != nil {
		return nil, err
	}
	made, err := wanted.Build(c.placed(wanted.Location, id, n), c.now(), c.newUUID)
	if err != nil {
		return nil, err
	}
	if err := c.writeFile(ctx, w, made.MetadataLocation, made.Metadata); err != nil {
		return nil, err
	}
	e, err := c.tableEntry(id, n, made)
	if err != nil {
		return nil, err
	}
	return made, insert(ctx, w, id, e)
}

// placed is the location that the client asks for, or else one that we choose.
func (c *Catalog) placed(asked string, id identifier, n *database.Namespace) string {
	if asked != "" {
		return asked
	}
	return c.locationFor(id, n)
}

// free returns the namespace of a name under which there is no entry yet. That
// may change until the entry is inserted, which is then noticed; but it saves the
// work that would be for nothing.
func free(ctx context.Context, r *database.Reader, id identifier, kind database.Kind, held database.Lock) (*database.Namespace, error) {
	n, err := space(ctx, r, id.namespace, held)
	if err != nil {
		return nil, err
	}
	there, err := entry(ctx, r, id)
	if err != nil {
		return nil, err
	}
	if there != nil {
		return nil, nameTaken(id, kind, there.Kind)
	}
	return n, nil
}

// tableEntry is what the catalog keeps of a new table, if it may be where it is.
func (c *Catalog) tableEntry(id identifier, n *database.Namespace, t *tables.Table) (*database.Entry, error) {
	header, err := t.Header()
	if err == nil {
		err = c.allowed(header.Location)
	}
	if err != nil {
		return nil, err
	}
	return &database.Entry{
		NamespaceID: n.ID, Name: id.name, Kind: database.Table, MetadataLocation: t.MetadataLocation, UUID: header.UUID,
	}, nil
}

// insert adds an entry unless somebody else has taken the name meanwhile.
func insert(ctx context.Context, w *database.Work, id identifier, e *database.Entry) error {
	inserted, err := w.Insert(ctx, e)
	if err != nil || inserted {
		return err
	}
	there, err := entry(ctx, &w.Reader, id)
	if err != nil {
		return err
	}
	if there == nil { // and dropped again: it was there at some moment of this request
		return nameTaken(id, e.Kind, e.Kind)
	}
	return nameTaken(id, e.Kind, there.Kind)
}
