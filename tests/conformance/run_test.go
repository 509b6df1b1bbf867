package conformance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/tests/conformance"
)

// send sends a request of alice's and returns the body of a success.
func send(t *testing.T, server, method, path, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, server+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+alice)
	request.Header.Set("Content-Type", "application/json")
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s, %v: %s", method, path, response.Status, err, text)
	}
	return string(text)
}

// namespaces lists those of a server.
func namespaces(t *testing.T, server string) []string {
	t.Helper()
	text := send(t, server, http.MethodGet, "/v1/namespaces", "")
	var listing struct{ Namespaces [][]string }
	if err := json.Unmarshal([]byte(text), &listing); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var names []string
	for _, levels := range listing.Namespaces {
		names = append(names, strings.Join(levels, "."))
	}
	return names
}

// tableFiles counts the files of tables in a warehouse.
func tableFiles(t *testing.T, warehouse string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(warehouse, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return nil // what is deleted meanwhile is no error
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A run leaves nothing behind: no namespace, and no file of a table, not even of
// those that were dropped without purge.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	server, warehouse := serve(t)
	report, err := conformance.Run(t.Context(), conformance.Target{URL: server, Token: alice}, conformance.Options{
		Only: []string{"createNamespace/refusal", "*Table/replay", "*Table/moved-on", "*Table/malformed"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Leftovers) > 0 {
		t.Errorf("the run says that it left %q", report.Leftovers)
	}
	if names := namespaces(t, server); len(names) > 0 {
		t.Errorf("the namespaces %q are left", names)
	}
	// This server deletes files some time after it has answered.
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(2 * time.Minute); len(tableFiles(t, warehouse)) > 0; <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatalf("files are left: %q", tableFiles(t, warehouse))
		}
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	server, _ := serve(t)
	report, err := conformance.Run(t.Context(), conformance.Target{URL: server, Token: alice}, conformance.Options{
		Only: []string{"dropTable/replay"}, Keep: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range namespaces(t, server) {
		if !slices.ContainsFunc(report.Leftovers, func(left string) bool { return strings.Contains(left, name) }) {
			t.Errorf("namespace %s is kept, and the report does not say so: %q", name, report.Leftovers)
		}
	}
	if len(report.Leftovers) == 0 {
		t.Error("nothing was kept")
	}
}

// A run that is ended cleans up and says that it was.
func TestInterruption(t *testing.T) {
	t.Parallel()
	server, _ := serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	report, err := conformance.Run(ctx, conformance.Target{URL: server, Token: alice}, conformance.Options{
		Only:     []string{"updateTable"},
		OnResult: func(conformance.Result, int, int) { cancel() },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Interrupted || report.ExitCode() != 2 || report.Count(conformance.Skipped) < 5 {
		t.Errorf("interrupted %t, exit code %d, %d skipped", report.Interrupted, report.ExitCode(), report.Count(conformance.Skipped))
	}
	if names := namespaces(t, server); len(names) > 0 {
		t.Errorf("the namespaces %q are left", names)
	}
}

// A key's end is sat out when that is asked for.
func TestLifetimeEnd(t *testing.T) {
	t.Parallel()
	server, _ := serve(t, func(c *runtime.Config) { c.Lifetime = 5 * time.Second })
	report, err := conformance.Run(t.Context(), conformance.Target{URL: server, Token: alice}, conformance.Options{
		Only: []string{"server/lifetime-end"}, LifetimeWait: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Results[0]; got.Verdict != conformance.Pass || !strings.Contains(got.Finding, "is over") {
		t.Errorf("%+v", got)
	}
}

// Everything that a target can hold reaches the server: the path before /v1, a
// prefix of the configuration, headers, the warehouse, and a token for OAuth
// credentials, through the kit's proxy too.
func TestTarget(t *testing.T) {
	t.Parallel()
	catalog, _ := serve(t)
	front := newFront(t, catalog)
	report, err := conformance.Run(t.Context(), conformance.Target{
		URL: front.URL + "/deep/catalog/", Warehouse: "big one",
		OAuth:  &conformance.OAuth{ClientID: "id", ClientSecret: "se:cret"},
		Header: http.Header{"X-Realm": {"east"}},
	}, conformance.Options{Only: []string{"createNamespace/replay", "createNamespace/lost-answer", "server/reads"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Verdict != conformance.Pass {
			t.Errorf("%s/%s: %s: %s", r.Operation, r.Case, r.Verdict, r.Finding)
		}
	}
	front.mu.Lock()
	defer front.mu.Unlock()
	for _, wrong := range front.wrong {
		t.Error(wrong)
	}
}

// front stands before a catalog and insists on all that a target can hold.
type front struct {
	*httptest.Server
	mu    sync.Mutex
	wrong []string
}

func newFront(t *testing.T, catalog string) *front {
	t.Helper()
	to, err := url.Parse(catalog)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	onward := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.URL.Path = "/v1" + strings.TrimPrefix(r.In.URL.Path, "/deep/catalog/v1/east/one")
		r.Out.URL.RawPath = ""
		r.Out.Header.Set("Authorization", "Bearer "+alice)
	}}
	f := &front{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("X-Realm"); got != "east" {
			f.complain("%s %s has X-Realm %q", r.Method, r.URL, got)
		}
		if got := "http://" + r.Host; got != f.URL {
			f.complain("%s %s is for host %s", r.Method, r.URL, got)
		}
		if r.URL.Path == "/deep/catalog/v1/oauth/tokens" {
			if r.PostFormValue("client_id") != "id" || r.PostFormValue("client_secret") != "se:cret" || r.PostFormValue("scope") != "catalog" {
				f.complain("the form for a token is %v", r.PostForm)
			}
			_, _ = w.Write([]byte(`{"access_token":"granted","token_type":"bearer"}`))
			return
		}
		if got := r.Header.Get("Authorization"); got != "Bearer granted" {
			f.complain("%s %s has Authorization %q", r.Method, r.URL, got)
		}
		switch {
		case r.URL.Path == "/deep/catalog/v1/config":
			if got := r.URL.Query().Get("warehouse"); got != "big one" {
				f.complain("the warehouse is %q", got)
			}
			_, _ = w.Write([]byte(`{"defaults":{"prefix":"west"},"overrides":{"prefix":"east/one"},"idempotency-key-lifetime":"PT3S"}`))
		case strings.HasPrefix(r.URL.Path, "/deep/catalog/v1/east/one/"):
			onward.ServeHTTP(w, r)
		default:
			f.complain("%s %s is not below the prefix", r.Method, r.URL)
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *front) complain(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wrong = append(f.wrong, fmt.Sprintf(format, args...))
}

// Twins may be told to come back: by a 503 on a commit, which clients send again.
// A 409 they take for a failure, so that is short of good practice there.
func TestTwinsThatComeBack(t *testing.T) {
	t.Parallel()
	for status, want := range map[runtime.InProgressStatus]conformance.Verdict{
		runtime.InProgress503: conformance.Pass, runtime.InProgress409: conformance.Fail,
	} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			url, _ := serve(t, func(c *runtime.Config) {
				c.Mode, c.WaitTimeout, c.InProgressStatus = runtime.ModeTwoPhase, time.Millisecond, status
			})
			report, err := conformance.Run(t.Context(), conformance.Target{URL: url, Token: alice}, conformance.Options{
				Only: []string{"updateTable/twins"},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Results[0]; got.Verdict != want || got.Breaks() {
				t.Errorf("%+v", got)
			}
		})
	}
}
