package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
)

// ReportMetrics takes what a client measured, of whatever type, and passes the
// type on.
func (c *Catalog) ReportMetrics(ctx context.Context, request generated.ReportMetricsRequestObject) (generated.ReportMetricsResponseObject, error) {
	id, err := c.identify(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	if _, err := c.entryOf(ctx, id, database.Table); err != nil {
		return nil, err
	}
	if c.config.OnReport != nil {
		c.config.OnReport(ctx, request.Body.ReportType)
	}
	return generated.ReportMetrics204Response{}, nil
}
