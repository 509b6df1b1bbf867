package catalog

import (
	"context"
	"net/http"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// ListFunctions lists no functions, since there is no way to create one.
func (c *Catalog) ListFunctions(ctx context.Context, request generated.ListFunctionsRequestObject) (generated.ListFunctionsResponseObject, error) {
	name, _, err := c.namespaceInPath(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := readPage("functions"+unitSeparator+name.String(), request.Params.PageToken, request.Params.PageSize); err != nil {
		return nil, err
	}
	return generated.ListFunctions200JSONResponse{
		Body: generated.ListFunctionsResponse{Identifiers: &[]generated.CatalogObjectIdentifier{}},
	}, nil
}

// LoadFunction finds no function.
func (c *Catalog) LoadFunction(ctx context.Context, request generated.LoadFunctionRequestObject) (generated.LoadFunctionResponseObject, error) {
	name, _, err := c.namespaceInPath(ctx)
	if err != nil {
		return nil, err
	}
	return nil, runtime.Errorf(http.StatusNotFound, "NoSuchFunctionException",
		"Function does not exist: %s", identifier{name, request.Function})
}
