package catalog

import (
	"context"
	"strings"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
)

// LoadTable returns a table's metadata, or 304 when the client has it already.
// The file is looked at in either case: a table whose file is gone must not look
// well to a client that has cached it.
func (c *Catalog) LoadTable(ctx context.Context, request generated.LoadTableRequestObject) (generated.LoadTableResponseObject, error) {
	mode, err := modeOf(request.Params.Snapshots)
	if err != nil {
		return nil, answerTo(err)
	}
	id, t, err := c.loadedTable(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	tag := tables.ETag(t.MetadataLocation, mode)
	if given := request.Params.IfNoneMatch; given != nil && matches(*given, tag) {
		return generated.LoadTable304Response{}, nil
	}
	shown, err := t.Shown(mode)
	if err != nil {
		return nil, err
	}
	body, err := c.tableResult(ctx, id, t, shown, c.wantsCredentials(request.Params.XIcebergAccessDelegation))
	if err != nil {
		return nil, err
	}
	return generated.LoadTable200JSONResponse{Body: body, Headers: generated.LoadTable200ResponseHeaders{ETag: &tag}}, nil
}

func modeOf(given *generated.LoadTableParamsSnapshots) (tables.Mode, error) {
	if given == nil {
		return tables.All, nil
	}
	return tables.ParseMode(string(*given))
}

// matches reports whether If-None-Match (RFC 9110 section 13.1.2) has the tag.
// Proxies that compress may have made it a weak one, which is as good here.
func matches(given, tag string) bool {
	for one := range strings.SplitSeq(given, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == tag || one == "*" {
			return true
		}
	}
	return false
}

// TableExists answers 204 for a table that exists.
func (c *Catalog) TableExists(ctx context.Context, request generated.TableExistsRequestObject) (generated.TableExistsResponseObject, error) {
	id, err := c.identify(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	if _, err := c.entryOf(ctx, id, database.Table); err != nil {
		return nil, err
	}
	return generated.TableExists204Response{}, nil
}
