package catalog

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// UpdateProperties removes and sets properties of a namespace, in one step.
func (c *Catalog) UpdateProperties(ctx context.Context, request generated.UpdatePropertiesRequestObject) (generated.UpdatePropertiesResponseObject, error) {
	name, err := c.separator.fromPath(ctx)
	if err != nil {
		return nil, err
	}
	if err := refuseNulls(ctx, "updates"); err != nil {
		return nil, err
	}
	var removals []string
	if given := request.Body.Removals; given != nil {
		removals = *given
	}
	var updates map[string]string
	if given := request.Body.Updates; given != nil {
		updates = *given
	}
	if err := refuseOverlap(removals, updates); err != nil {
		return nil, err
	}
	var removed, missing []string
	err = c.write(ctx, func(w *database.Work) error {
		n, err := space(ctx, &w.Reader, name, database.Exclusive)
		if err != nil {
			return err
		}
		removed, missing = change(n.Properties, removals, updates)
		return w.SetProperties(ctx, n, n.Properties)
	})
	if err != nil {
		return nil, err
	}
	return generated.UpdateProperties200JSONResponse{Body: generated.UpdateNamespacePropertiesResponse{
		Updated: listed(slices.Sorted(maps.Keys(updates))),
		Removed: listed(removed),
		Missing: nullable.NewNullableWithValue(listed(missing)),
	}}, nil
}

// change removes properties and then sets others. It returns those of removals
// that were there and those that were not, each once and in order.
func change(properties map[string]string, removals []string, updates map[string]string) (removed, missing []string) {
	for _, key := range slices.Compact(slices.Sorted(slices.Values(removals))) {
		if _, there := properties[key]; there {
			removed = append(removed, key)
			delete(properties, key)
		} else {
			missing = append(missing, key)
		}
	}
	maps.Copy(properties, updates)
	return removed, missing
}

func refuseOverlap(removals []string, updates map[string]string) error {
	var both []string
	for _, key := range removals {
		if _, set := updates[key]; set {
			both = append(both, key)
		}
	}
	if len(both) == 0 {
		return nil
	}
	return runtime.Errorf(http.StatusUnprocessableEntity, "",
		"Properties cannot be both updated and removed: %s", strings.Join(both, ", "))
}

// refuseNulls looks into a map of strings in the request body. Decoded, a null
// is an empty string, and the client would find a value that it never sent.
func refuseNulls(ctx context.Context, field string) error {
	var body map[string]json.RawMessage
	var entries map[string]*string
	if err := json.Unmarshal(runtime.RawBody(ctx), &body); err != nil || body[field] == nil {
		return nil // the decoding has seen to that
	}
	if err := json.Unmarshal(body[field], &entries); err != nil {
		return badRequest("Field /%s must be an object of strings", field)
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if entries[key] == nil {
			return badRequest("Field /%s must not be null: %s", field, key)
		}
	}
	return nil
}

// listed turns nothing into an empty list, since clients refuse a null.
func listed(keys []string) []string {
	if keys == nil {
		return []string{}
	}
	return keys
}
