package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/onceberg/onceberg/catalog/planning"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// summarizePlan keeps of a plan what it was made from: the metadata file and the
// scan. Its answer may be megabytes, and is only ever asked for again when it got
// lost; planning once more gives the same.
func summarizePlan(ctx context.Context, t scanned, credentials bool, scan any) {
	text, err := json.Marshal(scan)
	if err != nil {
		return
	}
	summarize(ctx, summary{
		Namespace: t.id.namespace, Name: t.id.name, Location: t.table.MetadataLocation, UUID: t.metadata.TableUUID().String(),
		Credentials: credentials, Plan: text,
	})
}

// replayPlan plans again from the metadata file of the first attempt, which has
// the snapshot even if the table has not any more.
func (c *Catalog) replayPlan(ctx context.Context, op *runtime.Operation, s summary) (runtime.Response, error) {
	read, err := c.replayedTable(ctx, s)
	if err != nil {
		return nil, err
	}
	metadata, err := read.Iceberg()
	if err != nil {
		return nil, err
	}
	t := scanned{s.id(), read, metadata}
	if op.ID == "fetchScanTasks" {
		task := new(planning.Task)
		if err := json.Unmarshal(s.Plan, task); err != nil {
			return nil, fmt.Errorf("the summary's plan task cannot be read: %w", err)
		}
		body, err := c.part(ctx, t, task)
		return generated.FetchScanTasks200JSONResponse{Body: body}.VisitFetchScanTasksResponse, err
	}
	scan := new(planning.Scan)
	if err := json.Unmarshal(s.Plan, scan); err != nil {
		return nil, fmt.Errorf("the summary's scan cannot be read: %w", err)
	}
	body, err := c.planned(ctx, t, scan, s.Credentials && c.config.Credentials != nil)
	return generated.PlanTableScan200JSONResponse{Body: body}.VisitPlanTableScanResponse, err
}
