package clientsafety_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/memory"
)

// namespaces is a catalog of nothing but namespaces.
type namespaces struct {
	generated.Unimplemented
	guard *runtime.Guard

	mu   sync.Mutex
	made map[string]map[string]string // properties by name
	log  []string                     // what was applied
}

func (n *namespaces) GetConfig(context.Context, generated.GetConfigRequestObject) (generated.GetConfigResponseObject, error) {
	lifetime := runtime.FormatDuration(n.guard.Lifetime())
	endpoints := generated.EndpointsOf(
		generated.FindOperation("createNamespace"), generated.FindOperation("dropNamespace"),
		generated.FindOperation("updateProperties"), generated.FindOperation("loadNamespaceMetadata"),
	)
	return generated.GetConfig200JSONResponse{Body: generated.CatalogConfig{
		Defaults: map[string]string{}, Overrides: map[string]string{},
		Endpoints: &endpoints, IdempotencyKeyLifetime: &lifetime,
	}}, nil
}

func (n *namespaces) CreateNamespace(
	_ context.Context, r generated.CreateNamespaceRequestObject,
) (generated.CreateNamespaceResponseObject, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	name := strings.Join(r.Body.Namespace, ".")
	if n.made[name] != nil {
		return nil, runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "Namespace already exists: %s", name)
	}
	n.made[name] = map[string]string{}
	n.log = append(n.log, "created "+name)
	return generated.CreateNamespace200JSONResponse{Body: generated.CreateNamespaceResponse{Namespace: r.Body.Namespace}}, nil
}

func (n *namespaces) DropNamespace(
	_ context.Context, r generated.DropNamespaceRequestObject,
) (generated.DropNamespaceResponseObject, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.made[r.Namespace] == nil {
		return nil, noSuchNamespace(r.Namespace)
	}
	delete(n.made, r.Namespace)
	n.log = append(n.log, "dropped "+r.Namespace)
	return generated.DropNamespace204Response{}, nil
}

// UpdateProperties says which of the properties were there, so that a second
// application shows: what the first removed is missing then.
func (n *namespaces) UpdateProperties(
	_ context.Context, r generated.UpdatePropertiesRequestObject,
) (generated.UpdatePropertiesResponseObject, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	properties := n.made[r.Namespace]
	if properties == nil {
		return nil, noSuchNamespace(r.Namespace)
	}
	body := generated.UpdateNamespacePropertiesResponse{Updated: []string{}, Removed: []string{}}
	missing := []string{}
	if r.Body.Removals != nil {
		for _, name := range *r.Body.Removals {
			if _, ok := properties[name]; ok {
				delete(properties, name)
				body.Removed = append(body.Removed, name)
			} else {
				missing = append(missing, name)
			}
		}
	}
	if r.Body.Updates != nil {
		for name, value := range *r.Body.Updates {
			properties[name] = value
			body.Updated = append(body.Updated, name)
		}
	}
	body.Missing.Set(missing)
	n.log = append(n.log, "updated "+r.Namespace)
	return generated.UpdateProperties200JSONResponse{Body: body}, nil
}

func noSuchNamespace(name string) error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "Namespace does not exist: %s", name)
}

// history is what was applied so far.
func (n *namespaces) history() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.log, ", ")
}

// unwatched is for examples, which have no test to fail.
func unwatched(url string) string { return url }

// serve serves a catalog behind a proxy that does to mutations what choose says;
// watch may put something between the two.
func serve(choose func(*http.Request) clienttest.Fault, watch func(url string) string) (catalog *namespaces, url string, stop func()) {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{})
	if err != nil {
		panic(err)
	}
	catalog = &namespaces{guard: guard, made: map[string]map[string]string{}}
	e := echo.New()
	generated.Register(e, catalog, guard)
	server := httptest.NewServer(e)
	proxy, err := clienttest.NewProxy(watch(server.URL), func(r *http.Request) clienttest.Fault {
		if r.Method == http.MethodGet {
			return clienttest.Fault{}
		}
		return choose(r)
	})
	if err != nil {
		panic(err)
	}
	return catalog, proxy.URL, func() {
		_ = proxy.Close()
		server.Close()
		_ = guard.Close(context.Background())
		_ = records.Close()
	}
}
