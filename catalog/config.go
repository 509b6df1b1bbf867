package catalog

import (
	"context"
	"maps"
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
	endpoints := generated.EndpointsOf(c.Served()...)
	body := generated.CatalogConfig{
		Defaults:  maps.Clone(orEmpty(c.config.Defaults)),
		Overrides: maps.Clone(orEmpty(c.config.Overrides)),
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

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
