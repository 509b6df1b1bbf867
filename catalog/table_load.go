package catalog

import (
	"context"
	"net/http"
	"strings"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// LoadTable returns a table's metadata, or 304 when the client has it already.
// That its file is there is looked at in either case: a table whose file is gone
// must not look well to a client that has cached it.
func (c *Catalog) LoadTable(ctx context.Context, request generated.LoadTableRequestObject) (generated.LoadTableResponseObject, error) {
	mode, err := modeOf(request.Params.Snapshots)
	if err != nil {
		return nil, answerTo(err)
	}
	id, e, err := c.entryNamed(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	stamp, err := c.files.Stat(ctx, e.MetadataLocation)
	if err != nil {
		return nil, answerTo(err)
	}
	tag := tables.ETag(e.MetadataLocation, mode)
	if given := request.Params.IfNoneMatch; given != nil && matches(*given, tag) {
		return generated.LoadTable304Response{}, nil
	}
	if c.wantsCredentials(request.Params.XIcebergAccessDelegation) {
		body, err := c.shownTable(ctx, id, e.MetadataLocation, mode, true)
		return generated.LoadTable200JSONResponse{Body: body, Headers: generated.LoadTable200ResponseHeaders{ETag: &tag}}, err
	}
	body, err := c.rendered(ctx, id, e.MetadataLocation, stamp, mode)
	return renderedTable{tag, body}, err
}

// shownTable is the answer to loadTable, from the table's file.
func (c *Catalog) shownTable(ctx context.Context, id identifier, location string, mode tables.Mode, credentials bool) (generated.LoadTableResult, error) {
	t, err := c.readTable(ctx, location)
	if err != nil {
		return generated.LoadTableResult{}, answerTo(err)
	}
	shown, err := t.Shown(mode)
	if err != nil {
		return generated.LoadTableResult{}, err
	}
	return c.tableResult(ctx, id, t, shown, credentials)
}

// rendered is shownTable without credentials as JSON. A large table's takes
// milliseconds to make, so that it is kept for as long as the file is the same.
func (c *Catalog) rendered(ctx context.Context, id identifier, location string, stamp files.Stamp, mode tables.Mode) ([]byte, error) {
	key := renderingKey{location, mode}
	if body := c.renderings.get(key, stamp); body != nil {
		return body, nil
	}
	result, err := c.shownTable(ctx, id, location, mode, false)
	if err != nil {
		return nil, err
	}
	body, err := runtime.EncodeJSON(result)
	if err == nil {
		c.renderings.put(key, stamp, body)
	}
	return body, err
}

// renderedTable answers LoadTable with 200.
type renderedTable struct {
	tag  string
	body []byte
}

// VisitLoadTableResponse implements generated.LoadTableResponseObject.
func (r renderedTable) VisitLoadTableResponse(w http.ResponseWriter) error {
	runtime.SetHeader(w, "ETag", r.tag)
	return runtime.WriteBytes(w, http.StatusOK, "application/json", r.body)
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
