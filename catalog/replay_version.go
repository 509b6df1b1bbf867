package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// replayedTable is the table that a replay shows.
func (c *Catalog) replayedTable(ctx context.Context, s summary) (*tables.Table, error) {
	location, text, err := c.versionOf(ctx, s, database.Table)
	if err != nil {
		return nil, err
	}
	return &tables.Table{MetadataLocation: location, Metadata: text}, nil
}

// versionOf returns the metadata file that the first attempt made, or the current
// one when that file has been deleted since, as tables may wish for their old ones.
// The document allows for it: "The response body may reflect a newer state of the
// catalog than existed at the time of the commit" (parameter idempotency-key).
//
// The current one is looked for under the name of the request alone, since rights
// are about names: who has lost sight of a table by a rename does not see it again
// by a retry.
func (c *Catalog) versionOf(ctx context.Context, s summary, kind database.Kind) (location string, text []byte, err error) {
	location = s.Location
	text, err = c.files.Read(ctx, location)
	for range commitTries {
		if !fault.Is(err, fault.NotFound) {
			return location, text, err
		}
		e, failed := entry(ctx, c.db.Read(ctx), s.id())
		if failed != nil {
			return "", nil, failed
		}
		if e == nil || e.Kind != kind || s.UUID == "" || !strings.EqualFold(e.UUID, s.UUID) {
			return "", nil, fmt.Errorf("the metadata file %s has been deleted since, and the %s is not called %s any more",
				s.Location, kind, s.id())
		}
		location = e.MetadataLocation // which may be deleted as well until it is read
		text, err = c.files.Read(ctx, location)
	}
	return location, text, err
}
