package runtime_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	catalog "github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// register is a backend that keeps, with each namespace, the key of the request
// that has made it.
type register struct {
	catalog.Unimplemented
	madeBy map[string]string // names to keys
	faults int               // to come
}

// CreateNamespace writes the key together with what the request makes.
func (b *register) CreateNamespace(ctx context.Context, r catalog.CreateNamespaceRequestObject) (catalog.CreateNamespaceResponseObject, error) {
	name := r.Body.Namespace[0]
	if _, exists := b.madeBy[name]; exists {
		return nil, runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "Namespace already exists: %s", name)
	}
	b.madeBy[name] = runtime.Key(ctx)
	if b.faults--; b.faults >= 0 {
		return nil, fmt.Errorf("the connection is lost, and whether %s was made is unclear", name)
	}
	return catalog.CreateNamespace200JSONResponse{Body: catalog.CreateNamespaceResponse{Namespace: r.Body.Namespace}}, nil
}

// reconcile looks for the key that the lost attempt would have written.
func (b *register) reconcile(ctx context.Context, req *runtime.Request) (runtime.Fate, runtime.Response, error) {
	if req.Operation.ID != "createNamespace" {
		return runtime.FateUnknown, nil, nil
	}
	for name, key := range b.madeBy {
		if key == runtime.Key(ctx) {
			made := catalog.CreateNamespaceResponse{Namespace: []string{name}}
			return runtime.FateApplied, catalog.CreateNamespace200JSONResponse{Body: made}.VisitCreateNamespaceResponse, nil
		}
	}
	return runtime.FateUnknown, nil, nil // it may still be under way
}

// A backend that wrote the key with the state can tell what became of a lost
// attempt.
func ExampleConfig_reconcile() {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	defer records.Close()
	backend := &register{madeBy: map[string]string{}, faults: 1}
	guard, err := runtime.NewGuard(records, runtime.Config{Reconcile: backend.reconcile})
	if err != nil {
		panic(err)
	}
	defer guard.Close(context.Background())
	e := echo.New()
	catalog.Register(e, backend, guard)

	for range 2 {
		ask(e, http.MethodPost, "/v1/namespaces", `{"namespace":["db"]}`, "Idempotency-Key", "01982f4e-79b0-7cc3-98c4-dc0c0c07398f")
	}
	// Output:
	// 500 {"error":{"message":"Internal server error","type":"InternalServerException","code":500}}
	// 200 {"namespace":["db"]}
}
