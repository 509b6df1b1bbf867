package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// A keyed request runs once; its retry gets the recorded answer.
func ExampleGuard_Handler() {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	defer records.Close()
	guard, err := runtime.NewGuard(records, runtime.Config{})
	if err != nil {
		panic(err)
	}
	defer guard.Close(context.Background())

	// Generated code does this for every operation of the document.
	op := &runtime.Operation{
		ID: "createNamespace", Method: http.MethodPost, Path: "/v1/{prefix}/namespaces",
		Idempotent: true, KeyHeader: "Idempotency-Key",
	}
	made := 0
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandler
	e.POST("/v1/namespaces", guard.Handler(op, func(c echo.Context) error {
		if made++; made > 1 {
			return runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "Namespace already exists: db")
		}
		return c.JSONBlob(http.StatusOK, []byte(`{"namespace":["db"],"properties":{}}`))
	}))

	send := func(key string) {
		r := httptest.NewRequest(http.MethodPost, "/v1/namespaces", strings.NewReader(`{"namespace":["db"]}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Header().Get("Idempotency-Replayed"), w.Body)
	}
	send("01982f4e-79b0-7cc3-98c4-dc0c0c07398f")
	send("01982F4E-79B0-7CC3-98C4-DC0C0C07398F")
	send("01982f4e-79b1-7cc3-98c4-dc0c0c07398f")
	// Output:
	// 200  {"namespace":["db"],"properties":{}}
	// 200 true {"namespace":["db"],"properties":{}}
	// 409  {"error":{"message":"Namespace already exists: db","type":"AlreadyExistsException","code":409}}
}

// GET /v1/config advertises how long a key may be retried.
func ExampleFormatDuration() {
	records, _ := memory.New(memory.Options{})
	defer records.Close()
	guard, _ := runtime.NewGuard(records, runtime.Config{})
	fmt.Println(runtime.FormatDuration(guard.Lifetime()))
	// Output: PT30M
}
