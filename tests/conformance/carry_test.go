package conformance_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// losing stands before a server and loses the answer to whatever comes for the first
// time, but for the drop that is under test. It counts what it lost.
type losing struct {
	mu   sync.Mutex
	met  map[string]bool
	lost int
}

func (l *losing) choose(r *http.Request) clienttest.Fault {
	underTest := r.Method == http.MethodDelete && strings.HasSuffix(r.URL.Path, "/dropped") && r.URL.RawQuery == ""
	if underTest || strings.HasSuffix(r.URL.Path, "/config") {
		return clienttest.Fault{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if r.Method == http.MethodGet {
		key = r.URL.Path
	}
	if key == "" || l.met[key] {
		l.met[key] = false
		return clienttest.Fault{}
	}
	l.met[key] = true
	l.lost++
	return clienttest.Fault{Kind: clienttest.Lose}
}

// What prepares a case and cleans up after it gets through a network that loses
// answers, and the case is judged as ever.
func TestLossyNetwork(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	l := &losing{met: map[string]bool{}}
	proxy, err := clienttest.NewProxy(catalog, l.choose)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = proxy.Close() })
	report := play(t, proxy.URL, conformance.Options{Only: []string{"dropTable/replay", "dropTable/moved-on"}, Parallel: 1})
	for _, r := range report.Results {
		if r.Verdict != conformance.Pass {
			t.Errorf("%s: %s: %s", r.Case, r.Verdict, r.Finding)
		}
	}
	if len(report.Leftovers) > 0 {
		t.Errorf("left behind: %q", report.Leftovers)
	}
	if names := namespaces(t, catalog); len(names) > 0 {
		t.Errorf("the namespaces %q are left", names)
	}
	if l.lost < 10 {
		t.Errorf("%d answers were lost", l.lost)
	}
}

// A server that promises nothing gets no key with what is none of the case's
// requests.
func TestNoKeysWithoutPromise(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	var mu sync.Mutex
	keyed := 0
	silent := faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if r.Header.Get("Idempotency-Key") != "" {
			keyed++
		}
		if !strings.HasSuffix(r.URL.Path, "/config") {
			return false
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"defaults": map[string]string{}, "overrides": map[string]string{}})
		return true
	})
	report := play(t, silent, conformance.Options{Only: []string{"dropTable/unkeyed"}, All: true})
	if r := report.Results[0]; r.Verdict != conformance.Pass {
		t.Errorf("%s: %s", r.Verdict, r.Finding)
	}
	if keyed > 0 {
		t.Errorf("%d requests had a key", keyed)
	}
}

// A server that refuses whatever has a key is found out by the case that is there for
// it, and can be prepared for all others.
func TestKeysOfTheKitsOwn(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	refuses := faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
		keyed := r.Header.Get("Idempotency-Key") != "" && r.Method != http.MethodGet
		if keyed {
			http.Error(w, "no keys here", http.StatusBadRequest)
		}
		return keyed
	})
	report := play(t, refuses, conformance.Options{Only: []string{"dropTable/unkeyed", "dropTable/replay", "updateTable/unkeyed"}})
	for _, r := range report.Results {
		want := conformance.Pass
		if r.Case == "replay" {
			want = conformance.Fail
		}
		if r.Verdict != want {
			t.Errorf("%s/%s: %s: %s", r.Operation, r.Case, r.Verdict, r.Finding)
		}
	}
	if len(report.Leftovers) > 0 {
		t.Errorf("left behind: %q", report.Leftovers)
	}
}
