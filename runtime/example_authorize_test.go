package runtime_test

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	catalog "github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// rights say who may change which namespace.
type rights map[string]string

// authorize lets everybody read, and owners write. It goes by names alone, since
// the first attempt may have dropped what the request is about, and refuses what
// names no namespace in its path.
func (owns rights) authorize(_ context.Context, r *runtime.Request) error {
	if r.Operation.Method == http.MethodGet || r.Operation.Method == http.MethodHead {
		return nil
	}
	namespace, _, err := r.PathValue("namespace")
	if err != nil {
		return err
	}
	if own, known := owns[r.Principal]; !known || own != namespace {
		return runtime.Errorf(http.StatusForbidden, "", "%s may not change %s", r.Principal, namespace)
	}
	return nil
}

// A caller that has lost its right gets no stored answer.
func ExampleConfig_authorize() {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	defer records.Close()
	owns := rights{"ana": "db"}
	guard, err := runtime.NewGuard(records, runtime.Config{Authorize: owns.authorize})
	if err != nil {
		panic(err)
	}
	defer guard.Close(context.Background())
	e := echo.New()
	e.Use(authenticate(map[string]string{"Bearer 1": "ana"}))
	catalog.Register(e, &lake{lifetime: guard.Lifetime()}, guard)

	drop := func() {
		ask(e, http.MethodDelete, "/v1/namespaces/db", "",
			"Idempotency-Key", "01982f4e-79b0-7cc3-98c4-dc0c0c07398f", "Authorization", "Bearer 1")
	}
	drop()
	drop()
	delete(owns, "ana")
	drop()
	// Output:
	// 204
	// 204 replayed
	// 403 {"error":{"message":"ana may not change db","type":"ForbiddenException","code":403}}
}
