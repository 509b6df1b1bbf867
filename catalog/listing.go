package catalog

import (
	"context"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
)

// ListTables lists the tables of a namespace; views are none of them.
func (c *Catalog) ListTables(ctx context.Context, request generated.ListTablesRequestObject) (generated.ListTablesResponseObject, error) {
	body, err := c.list(ctx, database.Table, request.Params.PageToken, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	return generated.ListTables200JSONResponse{Body: body}, nil
}

// ListViews lists the views of a namespace.
func (c *Catalog) ListViews(ctx context.Context, request generated.ListViewsRequestObject) (generated.ListViewsResponseObject, error) {
	body, err := c.list(ctx, database.View, request.Params.PageToken, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	return generated.ListViews200JSONResponse{Body: body}, nil
}

func (c *Catalog) list(ctx context.Context, kind database.Kind, token *string, size *int64) (body generated.ListTablesResponse, err error) {
	name, n, err := c.namespaceInPath(ctx)
	if err != nil {
		return body, err
	}
	listing := string(kind) + "s" + unitSeparator + database.Encode(name)
	p, err := readPage(listing, token, size)
	if err != nil {
		return body, err
	}
	limit := 0
	if p.size > 0 {
		limit = p.size + 1 // one more tells whether there is another page
	}
	names, err := c.db.Read(ctx).EntryNames(ctx, n, kind, p.after, limit)
	if err != nil {
		return body, answerTo(err)
	}
	names, next := p.cut(listing, names)
	identifiers := make([]generated.TableIdentifier, len(names))
	for i, one := range names {
		identifiers[i] = generated.TableIdentifier{Namespace: generated.Namespace(name), Name: one}
	}
	body.Identifiers = &identifiers
	if next != "" {
		body.NextPageToken = nullable.NewNullableWithValue(next)
	}
	return body, nil
}
