package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/views"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// ReplaceView commits changes to a view.
func (c *Catalog) ReplaceView(ctx context.Context, request generated.ReplaceViewRequestObject) (generated.ReplaceViewResponseObject, error) {
	id, err := c.identify(ctx, request.View)
	if err != nil {
		return nil, err
	}
	commit, err := views.ParseCommit(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	var made *views.View
	err = c.write(ctx, func(w *database.Work) error {
		made, err = c.commitView(ctx, w, id, commit)
		return err
	})
	if err != nil {
		return nil, err
	}
	summarizeView(ctx, id, made)
	return generated.ReplaceView200JSONResponse{Body: viewResult(made)}, nil
}

// commitView is to views what commit is to tables.
func (c *Catalog) commitView(ctx context.Context, w *database.Work, id identifier, commit *views.Commit) (*views.View, error) {
	return onNewest(ctx, w, id, func(e *database.Entry) (*views.View, error) {
		if e == nil || e.Kind != database.View {
			return nil, noSuchView(id)
		}
		return c.commitViewOn(ctx, w, e, commit)
	})
}

// commitViewOn applies a commit to an entry. It returns nothing when the entry
// has moved on.
func (c *Catalog) commitViewOn(ctx context.Context, w *database.Work, e *database.Entry, commit *views.Commit) (*views.View, error) {
	base, err := c.readView(ctx, e.MetadataLocation)
	if err != nil {
		return nil, err
	}
	result, err := commit.Apply(base, c.now(), c.newUUID)
	if err != nil {
		return nil, err
	}
	if !result.Changed {
		return result.View, nil
	}
	made := result.View
	header, err := made.Header()
	if err == nil {
		err = c.allowed(header.Location)
	}
	if err != nil {
		return nil, err
	}
	moved, err := c.moveOn(ctx, w, e, made.MetadataLocation, made.Metadata, e.UUID)
	if err != nil || !moved {
		return nil, err
	}
	return made, nil
}
