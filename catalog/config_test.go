package catalog_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/catalog"
)

// Case A12: the lifetime is a field of its own, in a form that every client
// reads, and absent when keys are not honoured.
func TestLifetime(t *testing.T) {
	t.Parallel()
	for lifetime, want := range map[time.Duration]any{
		0:                  nil,
		30 * time.Minute:   "PT30M",
		90 * time.Second:   "PT1M30S",
		36 * time.Hour:     "PT36H",
		7 * 24 * time.Hour: "PT168H",
	} {
		a := serve(t, catalog.Config{KeyLifetime: lifetime}).do(http.MethodGet, "/v1/config", "")
		if got := a.body["idempotency-key-lifetime"]; a.status != 200 || got != want {
			t.Errorf("%v: %d, %v, want %v", lifetime, a.status, got, want)
		}
		if len(a.body["defaults"].(map[string]any)) != 0 || len(a.body["overrides"].(map[string]any)) != 0 {
			t.Errorf("%v: defaults and overrides should be empty objects: %s", lifetime, a.text)
		}
		a = serve(t, catalog.Config{KeyLifetime: lifetime, LifetimeInDefaults: true}).do(http.MethodGet, "/v1/config", "")
		if got := a.body["defaults"].(map[string]any)["idempotency-key-lifetime"]; got != want {
			t.Errorf("%v among the defaults: %v, want %v", lifetime, got, want)
		}
	}
}

func TestWarehouses(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{Warehouses: []string{"main", "my lake"}})
	for query, status := range map[string]int{
		"": 200, "?warehouse=": 200, "?warehouse=main": 200, "?warehouse=my+lake": 200, "?warehouse=my%20lake": 200,
		"?warehouse=Main": 404, "?warehouse=other": 404,
	} {
		if a := s.do(http.MethodGet, "/v1/config"+query, ""); a.status != status {
			t.Errorf("%s: %d %s", query, a.status, a.text)
		}
	}
	a := s.do(http.MethodGet, "/v1/config?warehouse=other", "")
	if a.message() != "NoSuchWarehouseException: Warehouse does not exist: other" {
		t.Error(a.text)
	}
	if a := serve(t, catalog.Config{}).do(http.MethodGet, "/v1/config?warehouse=any", ""); a.status != 200 {
		t.Errorf("without names every warehouse will do: %d", a.status)
	}
}

func TestSeparatorIsAdvertised(t *testing.T) {
	t.Parallel()
	a := serve(t, catalog.Config{Separator: "%2e"}).do(http.MethodGet, "/v1/config", "")
	if got := a.body["overrides"].(map[string]any)["namespace-separator"]; got != "%2E" {
		t.Errorf("separator: %v", got)
	}
	for _, bad := range []string{"a", "%61", "-7-", "%", "%2", "/", "a b", "?", "#"} {
		if _, err := catalog.New(catalog.Config{Separator: bad}); err == nil || !strings.Contains(err.Error(), "separator") {
			t.Errorf("separator %q: %v", bad, err)
		}
	}
}
