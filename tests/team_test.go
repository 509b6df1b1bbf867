package tests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/internal/upstream"
	"github.com/onceberg/onceberg/tests/conformance"
)

// TestTeam does in tests/team what a team does: generate from upstream's file
// with gen as a tool of its module, build, serve, send a request twice, and have the
// kit look for what is wrong.
func TestTeam(t *testing.T) {
	spec := upstream.Spec(t, "iceberg-main-2026-08-21.yaml")
	if spec == nil {
		return
	}
	file := filepath.Join(t.TempDir(), "rest-catalog-open-api.yaml")
	if err := os.WriteFile(file, spec, 0o600); err != nil {
		t.Fatal(err)
	}
	inTeam(t, "go", "tool", "gen", "--spec", file)
	inTeam(t, "go", "vet", "./...")
	for _, found := range depsOf(t, "team", "./...") {
		if slices.ContainsFunc(slices.Concat(heavy, generators), holds(found)) {
			t.Errorf("a team must not compile %s", found)
		}
	}
	binary := filepath.Join(t.TempDir(), "catalog-server")
	inTeam(t, "go", "build", "-o", binary, ".")
	url := start(t, binary)
	advertises(t, url)

	key := uuid.Must(uuid.NewV7()).String()
	first := create(t, url+"/v1/namespaces", key)
	if first.status != http.StatusOK || first.replayed != "" {
		t.Fatalf("the first request got %+v", first)
	}
	again := create(t, url+"/v1/namespaces", key)
	if again.status != http.StatusOK || again.replayed != "true" || again.body != first.body {
		t.Fatalf("the retry got %+v, the first request %+v", again, first)
	}
	if other := create(t, url+"/v1/namespaces", uuid.Must(uuid.NewV7()).String()); other.status != http.StatusConflict {
		t.Fatalf("another key got %+v", other)
	}
	if got := send(t, http.MethodGet, url+"/v1/namespaces", "", ""); got.status != http.StatusOK || !strings.Contains(got.body, `["team"]`) {
		t.Fatalf("listing namespaces got %+v", got)
	}
	unserved := send(t, http.MethodGet, url+"/v1/namespaces/team/tables", "", "")
	var problem struct {
		Error struct{ Code int }
	}
	if err := json.Unmarshal([]byte(unserved.body), &problem); err != nil || unserved.status != http.StatusNotImplemented || problem.Error.Code != unserved.status {
		t.Fatalf("an operation without implementation got %+v (%v)", unserved, err)
	}
	resends(t, url)
	conformance.Test(t, conformance.Target{URL: url})
}

// resends checks that our client gives its requests keys there, and so gets over
// the loss of an answer.
func resends(t *testing.T, url string) {
	t.Helper()
	var mutations atomic.Int32
	proxy, err := clienttest.NewProxy(url, func(r *http.Request) clienttest.Fault {
		if r.Method == http.MethodPost && mutations.Add(1) == 1 {
			return clienttest.Fault{Kind: clienttest.Lose}
		}
		return clienttest.Fault{}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	// On a connection that it reuses, net/http would resend by itself.
	transport, err := client.NewTransport(client.Options{
		Operations: generated.Operations, Base: &http.Transport{DisableKeepAlives: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	catalog := http.Client{Transport: transport}
	response, err := catalog.Post(proxy.URL+"/v1/namespaces", "application/json", strings.NewReader(`{"namespace":["lost"]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || response.Header.Get("Idempotency-Replayed") != "true" || mutations.Load() != 2 {
		t.Errorf("after %d attempts: %s, %v", mutations.Load(), response.Status, response.Header)
	}
}

// advertises checks that a client learns that it may send keys, and what for.
func advertises(t *testing.T, url string) {
	t.Helper()
	a := send(t, http.MethodGet, url+"/v1/config", "", "")
	var config struct {
		Lifetime            string `json:"idempotency-key-lifetime"`
		Endpoints           []string
		Defaults, Overrides map[string]string
	}
	if err := json.Unmarshal([]byte(a.body), &config); err != nil || a.status != http.StatusOK {
		t.Fatalf("the configuration is %+v (%v)", a, err)
	}
	if config.Lifetime != "PT30M" || !slices.Contains(config.Endpoints, generated.FindOperation("createNamespace").Endpoint()) {
		t.Errorf("keys are not advertised: %+v", a)
	}
	if config.Defaults == nil || config.Overrides == nil { // the team's code leaves them nil
		t.Errorf("required maps are null: %+v", a)
	}
}

// The first page shows how keys are advertised, in the words of that project.
func TestFirstPageAdvertises(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("team/main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(code), "\nfunc (s *server) GetConfig(")
	body, _, ended := strings.Cut(rest, "\n}\n")
	if !found || !ended || !strings.Contains(string(page), "\nfunc (s *server) GetConfig("+body+"\n}\n") {
		t.Error("README.md and tests/team have different GetConfigs")
	}
}

func inTeam(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = "team"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// start runs the server until the test ends and returns the address it prints.
func start(t *testing.T, binary string) string {
	t.Helper()
	cmd := exec.Command(binary)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server did not shut down well: %v\n%s", err, stderr.String())
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not print its address: %v\n%s", err, stderr.String())
	}
	return strings.TrimSpace(line)
}

type answer struct {
	status         int
	replayed, body string
}

func create(t *testing.T, url, key string) answer {
	t.Helper()
	return send(t, http.MethodPost, url, key, `{"namespace":["team"]}`)
}

func send(t *testing.T, method, url, key, body string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header.Get("Idempotency-Replayed"), string(text)}
}
