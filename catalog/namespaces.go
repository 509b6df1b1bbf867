package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/generated"
)

// CreateNamespace creates a namespace; its parents need not exist.
func (c *Catalog) CreateNamespace(ctx context.Context, request generated.CreateNamespaceRequestObject) (generated.CreateNamespaceResponseObject, error) {
	name := levels(request.Body.Namespace)
	if err := name.check(); err != nil {
		return nil, err
	}
	if err := refuseNulls(ctx, "properties"); err != nil {
		return nil, err
	}
	properties := map[string]string{}
	if given := request.Body.Properties; given != nil && *given != nil {
		properties = *given
	}
	if err := c.tree.create(name, properties); err != nil {
		return nil, err
	}
	return generated.CreateNamespace200JSONResponse{
		Body: generated.CreateNamespaceResponse{Namespace: name, Properties: &properties},
	}, nil
}

// LoadNamespaceMetadata returns a namespace's properties.
func (c *Catalog) LoadNamespaceMetadata(ctx context.Context, _ generated.LoadNamespaceMetadataRequestObject) (generated.LoadNamespaceMetadataResponseObject, error) {
	name, err := c.separator.fromPath(ctx)
	if err != nil {
		return nil, err
	}
	properties, err := c.tree.load(name)
	if err != nil {
		return nil, err
	}
	return generated.LoadNamespaceMetadata200JSONResponse{
		Body: generated.GetNamespaceResponse{Namespace: name, Properties: nullable.NewNullableWithValue(properties)},
	}, nil
}

// NamespaceExists answers 204 for a namespace that exists.
func (c *Catalog) NamespaceExists(ctx context.Context, _ generated.NamespaceExistsRequestObject) (generated.NamespaceExistsResponseObject, error) {
	name, err := c.separator.fromPath(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.tree.load(name); err != nil {
		return nil, err
	}
	return generated.NamespaceExists204Response{}, nil
}

// DropNamespace drops a namespace that has no children.
func (c *Catalog) DropNamespace(ctx context.Context, _ generated.DropNamespaceRequestObject) (generated.DropNamespaceResponseObject, error) {
	name, err := c.separator.fromPath(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.tree.drop(name); err != nil {
		return nil, err
	}
	return generated.DropNamespace204Response{}, nil
}

// ListNamespaces lists the direct children of a namespace, or of the root.
func (c *Catalog) ListNamespaces(_ context.Context, request generated.ListNamespacesRequestObject) (generated.ListNamespacesResponseObject, error) {
	parent, err := c.separator.fromQuery(request.Params.Parent)
	if err != nil {
		return nil, err
	}
	listing := strings.Join(parent, unitSeparator)
	p, err := readPage(listing, request.Params.PageToken, request.Params.PageSize)
	if err != nil {
		return nil, err
	}
	children, err := c.tree.children(parent)
	if err != nil {
		return nil, err
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
