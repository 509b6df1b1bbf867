package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	catalog "github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// shelf is a backend whose answers are large and hold credentials, and which can
// make them again from a table's name.
type shelf struct {
	catalog.Unimplemented
	vended int
}

func (s *shelf) CreateTable(ctx context.Context, r catalog.CreateTableRequestObject) (catalog.CreateTableResponseObject, error) {
	// ... create it ...
	runtime.Summarize(ctx, []byte(r.Body.Name)) // stored in place of the answer
	return s.answer(r.Body.Name), nil
}

// Replay makes the answer again, with fresh credentials.
func (s *shelf) Replay(_ context.Context, op *runtime.Operation, summary []byte) (runtime.Response, error) {
	if op.ID != "createTable" {
		return nil, fmt.Errorf("no summaries of %s are stored", op.ID)
	}
	return s.answer(string(summary)).VisitCreateTableResponse, nil
}

func (s *shelf) answer(name string) catalog.CreateTable200JSONResponse {
	s.vended++
	config := map[string]string{"s3.session-token": fmt.Sprint("token ", s.vended)}
	return catalog.CreateTable200JSONResponse{Body: catalog.LoadTableResult{
		Metadata: json.RawMessage(`{"format-version":2,"location":"s3://lake/` + name + `"}`), Config: &config,
	}}
}

// A backend stores a few bytes instead of an answer, and rebuilds it for a retry.
func ExampleSummarize() {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	defer records.Close()
	backend := &shelf{}
	guard, err := runtime.NewGuard(records, runtime.Config{Replayer: backend})
	if err != nil {
		panic(err)
	}
	defer guard.Close(context.Background())
	e := echo.New()
	catalog.Register(e, backend, guard)

	for range 2 {
		ask(e, http.MethodPost, "/v1/namespaces/db/tables", `{"name":"t","schema":{"type":"struct","fields":[]}}`,
			"Idempotency-Key", "01982f4e-79b0-7cc3-98c4-dc0c0c07398f")
	}
	// Output:
	// 200 {"config":{"s3.session-token":"token 1"},"metadata":{"format-version":2,"location":"s3://lake/t"}}
	// 200 replayed {"config":{"s3.session-token":"token 2"},"metadata":{"format-version":2,"location":"s3://lake/t"}}
}
