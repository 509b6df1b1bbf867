package runtime_test

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	catalog "github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// authenticate tells the guard who is asking. The name is the caller's and not
// the token's: a retry may come with a renewed token.
func authenticate(callerOf map[string]string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			caller, known := callerOf[r.Header.Get("Authorization")]
			if !known {
				return runtime.Errorf(http.StatusUnauthorized, "", "The token is not known")
			}
			c.SetRequest(r.WithContext(runtime.WithPrincipal(r.Context(), caller)))
			return next(c)
		}
	}
}

// A key belongs to the caller who used it first, whatever the token.
func ExampleWithPrincipal() {
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
	e := echo.New()
	e.Use(authenticate(map[string]string{"Bearer 1": "ana", "Bearer 2": "ana", "Bearer 3": "ben"}))
	catalog.Register(e, &lake{lifetime: guard.Lifetime()}, guard)

	for _, token := range []string{"Bearer 1", "Bearer 2", "Bearer 3", "Bearer 4"} {
		ask(e, http.MethodPost, "/v1/namespaces", `{"namespace":["db"]}`,
			"Idempotency-Key", "01982f4e-79b0-7cc3-98c4-dc0c0c07398f", "Authorization", token)
	}
	// Output:
	// 200 {"namespace":["db"]}
	// 200 replayed {"namespace":["db"]}
	// 422 {"error":{"message":"Idempotency-Key was used before with another request","type":"IdempotencyKeyReusedException","code":422}}
	// 401 {"error":{"message":"The token is not known","type":"NotAuthorizedException","code":401}}
}
