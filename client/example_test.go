package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// A plain http.Client creates a namespace through a network that loses the first
// answer, and has it created once.
func ExampleTransport() {
	url, stop := lossyCatalog()
	defer stop()

	// On a connection that it reuses, net/http would resend by itself, unseen.
	network := &http.Transport{DisableKeepAlives: true}
	transport, err := client.NewTransport(client.Options{
		Operations: generated.Operations,
		Base:       network,
		OnAttempt: func(a client.Attempt) {
			fmt.Printf("%s, attempt %d: %d, replayed: %v, lost: %v\n",
				a.Operation.ID, a.Number, a.Status, a.Replayed, a.Cause != nil)
		},
	})
	if err != nil {
		panic(err)
	}
	catalog := http.Client{Transport: transport}
	response, err := catalog.Post(url+"/v1/namespaces", "application/json", strings.NewReader(`{"namespace":["db"]}`))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
	// Output:
	// createNamespace, attempt 1: 0, replayed: false, lost: true
	// createNamespace, attempt 2: 200, replayed: true, lost: false
	// 200 OK
}

// Where no attempt is answered, the error says what a caller has to know before it
// cleans up.
func ExampleError() {
	url, stop := lossyCatalog()
	defer stop()

	network := &http.Transport{DisableKeepAlives: true}
	transport, err := client.NewTransport(client.Options{Operations: generated.Operations, Base: network, MaxAttempts: 1})
	if err != nil {
		panic(err)
	}
	catalog := http.Client{Transport: transport}
	_, err = catalog.Post(url+"/v1/namespaces", "application/json", strings.NewReader(`{"namespace":["db"]}`))
	var unsettled *client.Error
	if errors.As(err, &unsettled) {
		fmt.Println(unsettled.Operation, unsettled.Attempts, errors.Is(err, client.ErrAttempts))
		fmt.Println("may have been applied:", unsettled.StateUnknown)
	}
	// Output:
	// createNamespace 1 true
	// may have been applied: true
}

// lossyCatalog serves a catalog behind a proxy that loses the answer to the first
// mutation.
func lossyCatalog() (url string, stop func()) {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{})
	if err != nil {
		panic(err)
	}
	e := echo.New()
	backend := &ledger{lifetime: guard.Lifetime(), exists: map[string]bool{}, applied: map[string]int{}}
	generated.Register(e, backend, guard)
	server := httptest.NewServer(e)
	var mutations atomic.Int32
	proxy, err := clienttest.NewProxy(server.URL, func(r *http.Request) clienttest.Fault {
		if r.Method == http.MethodPost && mutations.Add(1) == 1 {
			return clienttest.Fault{Kind: clienttest.Lose}
		}
		return clienttest.Fault{}
	})
	if err != nil {
		panic(err)
	}
	return proxy.URL, func() {
		_ = proxy.Close()
		server.Close()
		_ = guard.Close(context.Background())
		_ = records.Close()
	}
}
