package nodes

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

func namespace(name string) string { return "namespace/" + name }
func table(name string) string     { return "table/" + name }

// GetConfig needs no database.
func (*backend) GetConfig(context.Context, generated.GetConfigRequestObject) (generated.GetConfigResponseObject, error) {
	return generated.GetConfig200JSONResponse{
		Body: generated.CatalogConfig{Defaults: map[string]string{}, Overrides: map[string]string{}},
	}, nil
}

// LoadTable tells a table's version, for a commit to start from.
func (b *backend) LoadTable(
	ctx context.Context, r generated.LoadTableRequestObject,
) (generated.LoadTableResponseObject, error) {
	found := resource{Name: table(r.Table)}
	err := b.db.NewSelect().Model(&found).WherePK().Scan(ctx)
	if err := noRow(err, runtime.Errorf(http.StatusNotFound, "NoSuchTableException", "no %s", found.Name)); err != nil {
		return nil, err
	}
	return generated.LoadTable200JSONResponse{Body: generated.LoadTableResult{Metadata: metadata(found.Version)}}, nil
}

// reconcile is the backend's Reconcile hook. The row that counts an execution
// proves that it took place. A missing row proves nothing: a lost attempt may be
// frozen, and write yet.
func (b *backend) reconcile(ctx context.Context, r *runtime.Request) (runtime.Fate, runtime.Response, error) {
	var lost execution
	err := b.db.NewSelect().Model(&lost).Where("key = ?", runtime.Key(ctx)).Limit(1).Scan(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return runtime.FateUnknown, nil, nil
	case err != nil:
		return runtime.FateUnknown, nil, err
	case lost.Operation != r.Operation.ID:
		return runtime.FateUnknown, nil, fmt.Errorf("key of %s was executed as %s", r.Operation.ID, lost.Operation)
	}
	return runtime.FateApplied, responseOf(&lost), nil
}

// responseOf builds the response that an execution gave.
func responseOf(done *execution) runtime.Response {
	switch done.Operation {
	case "createNamespace":
		return created(done).VisitCreateNamespaceResponse
	case "dropNamespace":
		return generated.DropNamespace204Response{}.VisitDropNamespaceResponse
	case "updateTable":
		return committed(done).VisitUpdateTableResponse
	}
	return updated(done).VisitUpdatePropertiesResponse
}

// Each answer names its execution, so that two executions never answer alike.

func created(done *execution) generated.CreateNamespace200JSONResponse {
	properties := map[string]string{"made-by": done.mark()}
	return generated.CreateNamespace200JSONResponse{
		Body: generated.CreateNamespaceResponse{Namespace: generated.Namespace{done.Resource}, Properties: &properties},
	}
}

func committed(done *execution) generated.UpdateTable200JSONResponse {
	etag := strconv.Quote(strconv.FormatInt(done.Version, 10))
	return generated.UpdateTable200JSONResponse{
		Body: generated.CommitTableResponse{
			Metadata:         metadata(done.Version),
			MetadataLocation: fmt.Sprintf("memory://%s/%d?%s", done.Resource, done.Version, done.mark()),
		},
		Headers: generated.UpdateTable200ResponseHeaders{ETag: &etag},
	}
}

func updated(done *execution) generated.UpdateProperties200JSONResponse {
	return generated.UpdateProperties200JSONResponse{
		Body: generated.UpdateNamespacePropertiesResponse{
			Updated: []string{done.mark()}, Removed: []string{}, Missing: nullable.NewNullNullable[[]string](),
		},
	}
}

func metadata(version int64) generated.TableMetadata {
	return json.RawMessage(fmt.Sprintf(`{"format-version":2,"table-uuid":"6c1cd7b5-0000-4000-8000-000000000000",`+
		`"current-snapshot-id":%d}`, version))
}

func (e *execution) mark() string { return fmt.Sprintf("execution=%d", e.ID) }

var markPattern = regexp.MustCompile(`execution=(\d+)`)

// markIn finds the number of the execution that an answer names.
func markIn(body string) (id int64, ok bool) {
	found := markPattern.FindStringSubmatch(body)
	if found == nil {
		return 0, false
	}
	id, err := strconv.ParseInt(found[1], 10, 64)
	return id, err == nil
}

// oneRow turns a statement that changed nothing into a refusal.
func oneRow(result sql.Result, err error, refusal *runtime.Error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		return refusal
	}
	return err
}

// noRow turns a query that found nothing into a refusal.
func noRow(err error, refusal *runtime.Error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return refusal
	}
	return err
}
