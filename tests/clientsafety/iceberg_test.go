package clientsafety_test

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog/rest"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/internal/specwatch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// firstAttempts does a fault to the first n attempts of every mutation.
func firstAttempts(n int, fault clienttest.Fault) func(*http.Request) clienttest.Fault {
	var mu sync.Mutex
	attempts := map[string]int{}
	return func(r *http.Request) clienttest.Fault {
		mu.Lock()
		defer mu.Unlock()
		mutation := r.Method + r.RequestURI + r.Header.Get(generated.KeyHeader)
		if attempts[mutation]++; attempts[mutation] > n {
			return clienttest.Fault{}
		}
		return fault
	}
}

// iceberg-go sends no keys. When the answer to a creation gets lost, it reports a
// failure although the namespace is there, and trying again is refused.
func Example_icebergGo() {
	catalog, url, stop := serve(firstAttempts(1, clienttest.Fault{Kind: clienttest.Lose}), unwatched)
	defer stop()
	ctx := context.Background()

	iceberg, err := rest.NewCatalog(ctx, "demo", url)
	if err != nil {
		panic(err)
	}
	defer iceberg.Close()
	err = iceberg.CreateNamespace(ctx, []string{"db"}, nil)
	fmt.Println("the first call failed:", err != nil)
	err = iceberg.CreateNamespace(ctx, []string{"db"}, nil)
	fmt.Println("the second call:", err)
	fmt.Println("what happened:", catalog.history())
	// Output:
	// the first call failed: true
	// the second call: AlreadyExistsException: Namespace already exists: db
	// what happened: created db
}

// One option makes it safe: the same lost answer, the same call, and it succeeds.
func Example_icebergGoMadeSafe() {
	catalog, url, stop := serve(firstAttempts(1, clienttest.Fault{Kind: clienttest.Lose}), unwatched)
	defer stop()
	ctx := context.Background()

	transport, err := client.NewTransport(client.Options{Operations: generated.Operations})
	if err != nil {
		panic(err)
	}
	defer transport.CloseIdleConnections()
	iceberg, err := rest.NewCatalog(ctx, "demo", url, rest.WithCustomTransport(transport))
	if err != nil {
		panic(err)
	}
	defer iceberg.Close()
	err = iceberg.CreateNamespace(ctx, []string{"db"}, nil)
	fmt.Println("the first call:", err)
	fmt.Println("what happened:", catalog.history())
	// Output:
	// the first call: <nil>
	// what happened: created db
}

// Through every fault iceberg-go's mutations are applied once and answered as if
// nothing had happened.
func TestIcebergGoThroughFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range []clienttest.Fault{
		{Kind: clienttest.Drop},
		{Kind: clienttest.Lose},
		{Kind: clienttest.Cut},
		{Kind: clienttest.Reset},
		{Kind: clienttest.Abandon},
		{Kind: clienttest.Duplicate},
		{Kind: clienttest.Refuse, Status: 429},
		{Kind: clienttest.Refuse, Status: 200, Body: "<html>"},
		{Kind: clienttest.Replace, Status: 200, Body: "<html>"},
		{Kind: clienttest.Replace, Status: 502},
		{Kind: clienttest.Replace, Status: 503},
	} {
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			catalog, url, stop := serve(firstAttempts(3, fault), func(url string) string { return specwatch.Front(t, url) })
			defer stop()
			transport, err := client.NewTransport(client.Options{
				Operations: generated.Operations, Base: &http.Transport{DisableKeepAlives: true},
				MinBackoff: time.Millisecond, MaxAttempts: 20,
			})
			if err != nil {
				t.Fatal(err)
			}
			remote, err := rest.NewCatalog(t.Context(), "test", url, rest.WithCustomTransport(transport))
			if err != nil {
				t.Fatal(err)
			}
			defer remote.Close()
			name := []string{"db"}
			if err := remote.CreateNamespace(t.Context(), name, nil); err != nil {
				t.Errorf("create: %v", err)
			}
			if _, err := remote.UpdateNamespaceProperties(t.Context(), name, nil, iceberg.Properties{"owner": "me"}); err != nil {
				t.Errorf("set: %v", err)
			}
			summary, err := remote.UpdateNamespaceProperties(t.Context(), name, []string{"owner"}, nil)
			if err != nil || !reflect.DeepEqual(summary.Removed, []string{"owner"}) || len(summary.Missing) != 0 {
				t.Errorf("remove: %+v %v", summary, err)
			}
			if err := remote.DropNamespace(t.Context(), name); err != nil {
				t.Errorf("drop: %v", err)
			}
			if got := catalog.history(); got != "created db, updated db, updated db, dropped db" {
				t.Errorf("applied: %s", got)
			}
		})
	}
}
