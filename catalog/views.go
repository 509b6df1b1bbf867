package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/views"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

func viewResult(v *views.View) generated.LoadViewResult {
	return generated.LoadViewResult{Metadata: v.Metadata, MetadataLocation: v.MetadataLocation}
}

// CreateView creates a view from its first version.
func (c *Catalog) CreateView(ctx context.Context, _ generated.CreateViewRequestObject) (generated.CreateViewResponseObject, error) {
	wanted, err := views.ParseCreate(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	id, err := c.identify(ctx, wanted.Name)
	if err != nil {
		return nil, err
	}
	var made *views.View
	err = c.write(ctx, func(w *database.Work) error {
		n, err := free(ctx, &w.Reader, id, database.View, database.Shared)
		if err != nil {
			return err
		}
		if made, err = wanted.Build(c.placed(wanted.Location, id, n), c.now(), c.newUUID); err != nil {
			return err
		}
		if err := c.writeFile(ctx, w, made.MetadataLocation, made.Metadata); err != nil {
			return err
		}
		return c.insertView(ctx, w, id, n, made)
	})
	if err != nil {
		return nil, err
	}
	summarizeView(ctx, id, made)
	return generated.CreateView200JSONResponse{Body: viewResult(made)}, nil
}

func (c *Catalog) insertView(ctx context.Context, w *database.Work, id identifier, n *database.Namespace, v *views.View) error {
	header, err := v.Header()
	if err == nil {
		err = c.allowed(header.Location)
	}
	if err != nil {
		return err
	}
	return insert(ctx, w, id, &database.Entry{
		NamespaceID: n.ID, Name: id.name, Kind: database.View, MetadataLocation: v.MetadataLocation, UUID: header.UUID,
	})
}

// RegisterView adds a view whose metadata file exists. The file is served as it
// is.
func (c *Catalog) RegisterView(ctx context.Context, _ generated.RegisterViewRequestObject) (generated.RegisterViewResponseObject, error) {
	wanted, err := registrationIn(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	id, err := c.identify(ctx, wanted.name)
	if err != nil {
		return nil, err
	}
	location := wanted.location
	var found *views.View
	err = c.write(ctx, func(w *database.Work) error {
		n, err := free(ctx, &w.Reader, id, database.View, database.Shared)
		if err != nil {
			return err
		}
		text, err := c.files.Read(ctx, location)
		if err != nil {
			return err
		}
		if found, err = views.Register(location, text); err != nil {
			return err
		}
		return c.insertView(ctx, w, id, n, found)
	})
	if err != nil {
		return nil, err
	}
	summarizeView(ctx, id, found)
	return generated.RegisterView200JSONResponse{Body: viewResult(found)}, nil
}

// LoadView returns a view's metadata.
func (c *Catalog) LoadView(ctx context.Context, request generated.LoadViewRequestObject) (generated.LoadViewResponseObject, error) {
	id, err := c.identify(ctx, request.View)
	if err != nil {
		return nil, err
	}
	e, err := c.entryOf(ctx, id, database.View)
	if err != nil {
		return nil, err
	}
	v, err := c.readView(ctx, e.MetadataLocation)
	if err != nil {
		return nil, answerTo(err)
	}
	return generated.LoadView200JSONResponse{Body: viewResult(v)}, nil
}

// ViewExists answers 204 for a view that exists.
func (c *Catalog) ViewExists(ctx context.Context, request generated.ViewExistsRequestObject) (generated.ViewExistsResponseObject, error) {
	id, err := c.identify(ctx, request.View)
	if err != nil {
		return nil, err
	}
	if _, err := c.entryOf(ctx, id, database.View); err != nil {
		return nil, err
	}
	return generated.ViewExists204Response{}, nil
}

// DropView removes a view from the catalog. Its file stays, so that the view can
// be registered again; the document has no purge for views.
func (c *Catalog) DropView(ctx context.Context, request generated.DropViewRequestObject) (generated.DropViewResponseObject, error) {
	id, err := c.identify(ctx, request.View)
	if err != nil {
		return nil, err
	}
	err = c.write(ctx, func(w *database.Work) error {
		e, err := hold(ctx, w, id, database.View)
		if err != nil {
			return err
		}
		return w.Delete(ctx, e)
	})
	if err != nil {
		return nil, err
	}
	return generated.DropView204Response{}, nil
}
