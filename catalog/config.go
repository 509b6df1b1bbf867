package catalog

import (
	"context"
	"slices"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// lifetimeProperty is how the lifetime is called among the defaults.
const lifetimeProperty = "idempotency-key-lifetime"

// GetConfig tells a client what it can expect here.
func (c *Catalog) GetConfig(_ context.Context, request generated.GetConfigRequestObject) (generated.GetConfigResponseObject, error) {
	if asked := request.Params.Warehouse; asked != nil && *asked != "" {
		if known := c.config.Warehouses; len(known) > 0 && !slices.Contains(known, *asked) {
			return nil, noSuchWarehouse(*asked)
		}
	}
	endpoints := generated.EndpointsOf(Served()...)
	body := generated.CatalogConfig{
		Defaults:  map[string]string{},
		Overrides: map[string]string{},
		Endpoints: &endpoints,
	}
	if !c.separator.isDefault() {
		body.Overrides["namespace-separator"] = c.separator.encoded
	}
	if lifetime := runtime.FormatDuration(c.config.KeyLifetime); lifetime != "" {
		body.IdempotencyKeyLifetime = &lifetime
		if c.config.LifetimeInDefaults {
			body.Defaults[lifetimeProperty] = lifetime
		}
	}
	return generated.GetConfig200JSONResponse{Body: body}, nil
}
