package catalog

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// CreateNamespace creates a namespace; its parents need not exist.
func (c *Catalog) CreateNamespace(ctx context.Context, request generated.CreateNamespaceRequestObject) (generated.CreateNamespaceResponseObject, error) {
	name, err := namespaceIn(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	if err := refuseNulls(ctx, "properties"); err != nil {
		return nil, err
	}
	properties := map[string]string{}
	if given := request.Body.Properties; given != nil && *given != nil {
		properties = *given
	}
	err = c.write(ctx, func(w *database.Work) error {
		created, err := w.CreateNamespace(ctx, name, properties)
		if err == nil && !created {
			return namespaceExists(name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return generated.CreateNamespace200JSONResponse{
		Body: generated.CreateNamespaceResponse{Namespace: name, Properties: &properties},
	}, nil
}

// namespaceInPath returns the namespace that a request's path names.
func (c *Catalog) namespaceInPath(ctx context.Context) (levels, *database.Namespace, error) {
	name, err := c.separator.fromPath(ctx)
	if err != nil {
		return nil, nil, err
	}
	n, err := space(ctx, c.db.Read(ctx), name, database.Unlocked)
	return name, n, answerTo(err)
}

// LoadNamespaceMetadata returns a namespace's properties.
func (c *Catalog) LoadNamespaceMetadata(ctx context.Context, _ generated.LoadNamespaceMetadataRequestObject) (generated.LoadNamespaceMetadataResponseObject, error) {
	name, n, err := c.namespaceInPath(ctx)
	if err != nil {
		return nil, err
	}
	return generated.LoadNamespaceMetadata200JSONResponse{
		Body: generated.GetNamespaceResponse{Namespace: name, Properties: nullable.NewNullableWithValue(n.Properties)},
	}, nil
}

// NamespaceExists answers 204 for a namespace that exists.
func (c *Catalog) NamespaceExists(ctx context.Context, _ generated.NamespaceExistsRequestObject) (generated.NamespaceExistsResponseObject, error) {
	if _, _, err := c.namespaceInPath(ctx); err != nil {
		return nil, err
	}
	return generated.NamespaceExists204Response{}, nil
}

// DropNamespace drops a namespace that has neither children nor tables nor
// views. Whoever creates a table or view at the same time holds the namespace, so
// that either the drop sees it or it does not see the namespace. A child needs no
// such care, since it may be created without its parent.
func (c *Catalog) DropNamespace(ctx context.Context, _ generated.DropNamespaceRequestObject) (generated.DropNamespaceResponseObject, error) {
	name, err := c.separator.fromPath(ctx)
	if err != nil {
		return nil, err
	}
	err = c.write(ctx, func(w *database.Work) error {
		n, err := space(ctx, &w.Reader, name, database.Exclusive)
		if err != nil {
			return err
		}
		above, err := w.HasDescendants(ctx, name)
		if err != nil {
			return err
		}
		full, err := w.HasEntries(ctx, n)
		if err != nil {
			return err
		}
		if above || full {
			return namespaceNotEmpty(name)
		}
		return w.DropNamespace(ctx, n)
	})
	if err != nil {
		return nil, err
	}
	return generated.DropNamespace204Response{}, nil
}

// ListNamespaces lists the direct children of a namespace, or of the root.
func (c *Catalog) ListNamespaces(ctx context.Context, request generated.ListNamespacesRequestObject) (generated.ListNamespacesResponseObject, error) {
	parent, err := c.separator.fromQuery(request.Params.Parent)
	if err != nil {
		return nil, err
	}
	listing := "namespaces" + unitSeparator + strings.Join(parent, unitSeparator)
	p, err := readPage(listing, request.Params.PageToken, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	children, err := c.children(ctx, parent, p.after)
	if err != nil {
		return nil, answerTo(err)
	}
	children, next := p.cut(listing, children)
	names := make([]generated.Namespace, len(children))
	for i, child := range children {
		names[i] = append(slices.Clone(parent), child)
	}
	body := generated.ListNamespacesResponse{Namespaces: &names}
	if next != "" {
		body.NextPageToken = nullable.NewNullableWithValue(next)
	}
	return generated.ListNamespaces200JSONResponse{Body: body}, nil
}

// children returns the last levels of a parent's children, those that come after
// the given one, sorted. A child need not have been created, if one of its own
// children was.
func (c *Catalog) children(ctx context.Context, parent levels, after string) ([]string, error) {
	r := c.db.Read(ctx)
	below, err := r.Descendants(ctx, parent, after)
	if err != nil {
		return nil, err
	}
	if len(below) == 0 && len(parent) > 0 {
		if err := c.mayBeListed(ctx, r, parent, after); err != nil {
			return nil, err
		}
	}
	found := map[string]bool{}
	for _, name := range below {
		child, _, _ := strings.Cut(name, unitSeparator)
		found[child] = true
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// mayBeListed tells a parent without children from one that does not exist.
func (c *Catalog) mayBeListed(ctx context.Context, r *database.Reader, parent levels, after string) error {
	n, err := r.Namespace(ctx, parent, database.Unlocked)
	if err != nil || n != nil {
		return err
	}
	if after != "" { // a later page of an implicit parent
		implicit, err := r.HasDescendants(ctx, parent)
		if err != nil || implicit {
			return err
		}
	}
	return noSuchNamespace(parent)
}
