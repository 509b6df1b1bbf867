package conformance_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// makes reports whether a request makes a namespace.
func makes(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/namespaces")
}

// removes reports whether a request removes a namespace.
func removes(r *http.Request) bool {
	return r.Method == http.MethodDelete && strings.Count(r.URL.Path, "/") == 3 // /v1/namespaces/{namespace}
}

// persisting stands before a catalog that carries out what it has begun, whether or not
// anybody waits for it. It calls meets before.
func persisting(t *testing.T, meets func(*http.Request)) (front, catalog string) {
	t.Helper()
	catalog, _ = serve(t)
	front = faulty.Before(t, catalog, func(_ http.ResponseWriter, r *http.Request) bool {
		body, err := io.ReadAll(r.Body) // only then a client that leaves is noticed
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		waits := r.Context()
		// One that cannot end would have the proxy look for clients that leave by itself.
		persists, cancel := context.WithCancel(context.WithoutCancel(waits))
		t.Cleanup(cancel)
		*r = *r.WithContext(persists)
		meets(r.WithContext(waits))
		return false
	})
	return front, catalog
}

// named fails a test for each namespace that is there and not among what a run says it
// left.
func named(t *testing.T, catalog string, report *conformance.Report) {
	t.Helper()
	left := strings.Join(report.Leftovers, "\n")
	for _, name := range namespaces(t, catalog) {
		if !strings.Contains(left, "namespace "+name+":") {
			t.Errorf("namespace %s is left, and not named: %s", name, left)
		}
	}
}

// A request that is under way when a run is ended has its answer, so that what it makes
// is there to be removed.
func TestInterruptionWaitsForWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var once sync.Once
	removed := make(chan struct{})
	front, catalog := persisting(t, func(r *http.Request) {
		if removes(r) {
			select {
			case removed <- struct{}{}:
			default:
			}
		}
		if !makes(r) {
			return
		}
		once.Do(func() {
			end()
			select {
			case <-time.After(300 * time.Millisecond): // somebody waits
			case <-r.Context().Done(): // nobody does: it is made when it has been looked for
				select {
				case <-removed:
				case <-time.After(5 * time.Second):
				}
			}
		})
	})
	report, err := conformance.Run(ctx, conformance.Target{URL: front, Token: alice}, conformance.Options{
		Only: []string{"createTable"}, Parallel: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Interrupted || report.ExitCode() != 2 || len(report.Leftovers) > 0 {
		t.Errorf("interrupted: %v, exit code %d, left: %q", report.Interrupted, report.ExitCode(), report.Leftovers)
	}
	if names := namespaces(t, catalog); len(names) > 0 {
		t.Errorf("the namespaces %q are left", names)
	}
}

// What a client asked for that had hung up when the run was ended is looked after for
// some seconds, and named when it has not come.
func TestInterruptionAfterHangUp(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	carried := make(chan struct{})
	var once sync.Once
	catalog, _ := serve(t)
	front := faulty.Before(t, catalog, func(_ http.ResponseWriter, r *http.Request) (first bool) {
		if makes(r) {
			once.Do(func() {
				first = true
				defer close(carried)
				body, _ := io.ReadAll(r.Body) // only then a client that leaves is noticed
				<-r.Context().Done()
				end()
				<-time.After(time.Second)
				carryOut(t, catalog+r.URL.Path, body)
			})
		}
		return first
	})
	report, err := conformance.Run(ctx, conformance.Target{URL: front, Token: alice}, conformance.Options{
		Only: []string{"createNamespace/hang-up"}, Parallel: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	<-carried
	named(t, catalog, report)
}

// carryOut has a catalog carry out what a client has asked for that has left.
func carryOut(t *testing.T, url string, body []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+alice)
	request.Header.Set("Content-Type", "application/json")
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Error(err)
		return
	}
	_ = response.Body.Close() // it may be there already, if the kit has asked again
}

// What a server refuses to remove for now is removed a little later.
func TestRemovalIsTriedAgain(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	var asked atomic.Int64
	front := faulty.Before(t, catalog, func(w http.ResponseWriter, r *http.Request) bool {
		busy := removes(r) && asked.Add(1) <= 4
		if busy {
			http.Error(w, "not empty yet", http.StatusConflict)
		}
		return busy
	})
	report := play(t, front, conformance.Options{Only: []string{"updateTable/etag"}})
	if names := namespaces(t, catalog); len(names) > 0 || len(report.Leftovers) > 0 {
		t.Errorf("the namespaces %q are left; the report says %q", names, report.Leftovers)
	}
	if asked.Load() < 5 {
		t.Errorf("%d requests to remove it", asked.Load())
	}
}

// A run that is abandoned waits for nothing, and names what it may leave.
func TestAbandonment(t *testing.T) {
	t.Parallel()
	abandon := make(chan struct{})
	var once sync.Once
	front, catalog := persisting(t, func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/tables") && r.Method == http.MethodPost {
			once.Do(func() { close(abandon) })
			<-r.Context().Done()
		}
	})
	report := play(t, front, conformance.Options{
		Only: []string{"updateTable"}, Parallel: 2, Timeout: time.Hour, Abandon: abandon,
	})
	if !report.Interrupted || len(report.Leftovers) == 0 {
		t.Errorf("interrupted: %v, left: %q", report.Interrupted, report.Leftovers)
	}
	named(t, catalog, report)
}
