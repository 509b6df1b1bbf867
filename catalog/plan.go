package catalog

import (
	"context"
	"errors"
	"net/http"

	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/catalog/planning"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// ReadOnly returns the operations, by ID, that take a key and change nothing in
// the catalog; for runtime.Config.ReadOnly, so that the manifests they read from
// storage hold up no transaction.
func ReadOnly() []string { return []string{"planTableScan", "fetchScanTasks", "cancelPlanning"} }

// scanned is a table that is planned, at one version of its metadata.
type scanned struct {
	id       identifier
	table    *tables.Table
	metadata table.Metadata
}

// scannedTable returns the table that a request's path names.
func (c *Catalog) scannedTable(ctx context.Context, name string) (scanned, error) {
	id, t, err := c.loadedTable(ctx, name)
	if err != nil {
		return scanned{}, err
	}
	metadata, err := t.Iceberg()
	return scanned{id, t, metadata}, err
}

// PlanTableScan finds the files of a scan, and answers with all of them or with
// the first ones and tasks for the others. Nothing is kept of the plan.
func (c *Catalog) PlanTableScan(ctx context.Context, request generated.PlanTableScanRequestObject) (generated.PlanTableScanResponseObject, error) {
	wanted, err := planning.ParseRequest(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	t, err := c.scannedTable(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	scan, err := wanted.Resolve(t.metadata)
	if err != nil {
		return nil, answerTo(err)
	}
	credentials := c.wantsCredentials(request.Params.XIcebergAccessDelegation)
	body, err := c.planned(ctx, t, scan, credentials)
	if err != nil {
		return nil, answerTo(err)
	}
	summarizePlan(ctx, t, credentials, scan)
	return generated.PlanTableScan200JSONResponse{Body: body}, nil
}

// planned is the answer to planTableScan.
func (c *Catalog) planned(ctx context.Context, t scanned, scan *planning.Scan, credentials bool) (body generated.PlanTableScanResult, err error) {
	done, err := c.completed(ctx, t, scan, credentials)
	if err != nil {
		return body, err
	}
	// not by the union's From, which would read megabytes back to mark them
	text, err := runtime.MarshalJSON(generated.CompletedPlanningWithIDResult{
		Status: done.Status, PlanId: scan.ID(), StorageCredentials: done.StorageCredentials,
		FileScanTasks: done.FileScanTasks, DeleteFiles: done.DeleteFiles, PlanTasks: done.PlanTasks,
	})
	if err == nil {
		err = body.UnmarshalJSON(text)
	}
	return body, err
}

// completed plans a scan, and vends credentials for its files if the client is
// to have some.
func (c *Catalog) completed(ctx context.Context, t scanned, scan *planning.Scan, credentials bool) (generated.CompletedPlanningResult, error) {
	done := generated.CompletedPlanningResult{Status: generated.PlanStatusCompleted}
	plan, err := scan.Plan(ctx, t.metadata, c.files.IO(ctx))
	if err != nil {
		return done, err
	}
	first, err := plan.First()
	if err != nil {
		return done, err
	}
	done.FileScanTasks, done.DeleteFiles, done.PlanTasks = first.FileScanTasks, first.DeleteFiles, first.PlanTasks
	if credentials {
		vended, err := c.vend(ctx, t.id, t.table)
		if err != nil {
			return done, err
		}
		done.StorageCredentials = &vended
	}
	return done, nil
}

// FetchPlanningResult plans a scan again by what its plan-id holds. It is never
// still being planned.
func (c *Catalog) FetchPlanningResult(ctx context.Context, request generated.FetchPlanningResultRequestObject) (generated.FetchPlanningResultResponseObject, error) {
	t, err := c.scannedTable(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	scan, complete, ok := planning.OpenID(request.PlanId)
	switch {
	case !ok:
		return nil, noSuchPlan("it was not made by this server")
	case !complete:
		return nil, noSuchPlan("its filter was too long to be kept in the id")
	}
	done, err := c.completed(ctx, t, scan, c.wantsCredentials(request.Params.XIcebergAccessDelegation))
	if notAnyMore(err) {
		return nil, noSuchPlan(err.Error())
	}
	if err != nil {
		return nil, answerTo(err)
	}
	var body generated.FetchPlanningResult
	if err := body.FromCompletedPlanningResult(done); err != nil {
		return nil, err
	}
	return generated.FetchPlanningResult200JSONResponse{Body: body}, nil
}

// CancelPlanning has nothing to free: it only says whether the plan is one of
// the table's.
func (c *Catalog) CancelPlanning(ctx context.Context, request generated.CancelPlanningRequestObject) (generated.CancelPlanningResponseObject, error) {
	id, err := c.identify(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	e, err := c.entryOf(ctx, id, database.Table)
	if err != nil {
		return nil, err
	}
	scan, _, ok := planning.OpenID(request.PlanId)
	switch {
	case !ok:
		return nil, noSuchPlan("it was not made by this server")
	case scan.Table != canonical(e.UUID):
		return nil, noSuchPlan("it is of another table")
	}
	return generated.CancelPlanning204Response{}, nil
}

// canonical is a table's UUID as scans have it: in lower case, and zero for a
// table of version 1 that never got one.
func canonical(written string) string {
	id, err := uuid.Parse(written)
	if err != nil {
		id = uuid.Nil
	}
	return id.String()
}

// FetchScanTasks plans a scan again and answers with a task's part of it.
func (c *Catalog) FetchScanTasks(ctx context.Context, request generated.FetchScanTasksRequestObject) (generated.FetchScanTasksResponseObject, error) {
	t, err := c.scannedTable(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	if request.Body == nil {
		return nil, badRequest("Request body is required")
	}
	task, ok := planning.OpenTask(request.Body.PlanTask)
	if !ok {
		return nil, noSuchPlanTask("it was not made by this server")
	}
	body, err := c.part(ctx, t, task)
	if notAnyMore(err) {
		return nil, noSuchPlanTask(err.Error())
	}
	if err != nil {
		return nil, answerTo(err)
	}
	summarizePlan(ctx, t, false, task)
	return generated.FetchScanTasks200JSONResponse{Body: body}, nil
}

// part is the answer to fetchScanTasks.
func (c *Catalog) part(ctx context.Context, t scanned, task *planning.Task) (generated.ScanTasks, error) {
	plan, err := task.Plan(ctx, t.metadata, c.files.IO(ctx))
	if err != nil {
		return generated.ScanTasks{}, err
	}
	return plan.Part(task)
}

// notAnyMore reports whether a scan that was planned once cannot be any more. The
// document has no 406 for those who fetch: they are to plan anew, and get it there.
func notAnyMore(err error) bool {
	return errors.Is(err, planning.ErrGone) || fault.Is(err, fault.Unsupported) || fault.Is(err, fault.NotFound)
}

// The ids themselves are long, and the client has them.

func noSuchPlan(reason string) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchPlanIdException", "Plan does not exist: %s", reason)
}

func noSuchPlanTask(reason string) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchPlanTaskException", "Plan task does not exist: %s", reason)
}
