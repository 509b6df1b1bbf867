package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/internal/testdb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testdb.Main(m)) }

const patience = 2 * time.Minute

// process is a server that was started through Do, as by main.
type process struct {
	t      *testing.T
	url    string
	client *http.Client
	stdout *output
	stderr *output
	cancel context.CancelFunc
	exited chan int
}

// start runs the server on a free port until the test ends or stop is called.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	p := &process{
		t: t, cancel: cancel, stdout: newOutput(), stderr: newOutput(), exited: make(chan int, 1),
		client: &http.Client{Transport: specwatch.Transport(t, transport), Timeout: patience},
	}
	args = append([]string{"serve", "--listen", "127.0.0.1:0", "--data-folder", t.TempDir()}, args...)
	go func() { p.exited <- Do(ctx, args, strings.NewReader(""), p.stdout, p.stderr) }()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		cancel()
		p.wait()
	})
	_, url, found := strings.Cut(p.stdout.await(t, "\n"), "listening on ")
	if !found {
		t.Fatalf("the server did not start: exit code %d\n%s", p.wait(), p.stderr)
	}
	p.url = strings.TrimSpace(url)
	return p
}

// stop tells the server to stop and returns its exit code.
func (p *process) stop() int {
	p.t.Helper()
	p.client.CloseIdleConnections()
	p.cancel()
	return p.wait()
}

func (p *process) wait() int {
	p.t.Helper()
	select {
	case code := <-p.exited:
		p.exited <- code
		return code
	case <-time.After(patience):
		p.t.Fatalf("the server does not end\n%s", p.stderr)
		return -1
	}
}

// answer is a response with its body, decoded when it is JSON.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

// typ is the type of an error.
func (a answer) typ() string {
	e, _ := a.body["error"].(map[string]any)
	text, _ := e["type"].(string)
	return text
}

// do sends a request; headers are name, value, name, value.
func (p *process) do(method, path, body string, headers ...string) answer {
	p.t.Helper()
	request, err := http.NewRequest(method, p.url, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	raw, query, _ := strings.Cut(path, "?")
	request.URL.Opaque = "//" + request.URL.Host + raw
	request.URL.RawQuery = query
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Content-Type" {
			request.Header.Del(headers[i])
		}
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := p.client.Do(request)
	if err != nil {
		p.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatalf("%s %s: %v", method, path, err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: strings.TrimSpace(string(text))}
	_ = json.Unmarshal(text, &a.body) // metrics are no JSON
	return a
}

// becomesReady waits until the server says that it is ready, and wants that to be
// all. A probe has little time, and on a busy machine too little.
func (p *process) becomesReady() {
	p.t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(patience); ; <-poll.C {
		a := p.do(http.MethodGet, "/readyz", "")
		if a.status == http.StatusOK && a.text == `{"status":"ready"}` {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("readyz: %d %s", a.status, a.text)
		}
	}
}

func (p *process) create(name, key string) answer {
	p.t.Helper()
	return p.do(http.MethodPost, "/v1/namespaces", `{"namespace":["`+name+`"]}`, "Idempotency-Key", key)
}

func newKey(t *testing.T) string {
	t.Helper()
	key, err := uuid.NewV7()
	if err != nil {
		t.Fatal(err)
	}
	return key.String()
}

// run runs a command that ends by itself.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	args = append(slices.Clone(args), "--data-folder", t.TempDir())
	code = Do(ctx, args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// output is what a process writes, for others to wait on.
type output struct {
	mu      sync.Mutex
	text    strings.Builder
	written chan struct{}
}

func newOutput() *output { return &output{written: make(chan struct{}, 1)} }

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	select {
	case o.written <- struct{}{}:
	default:
	}
	return len(p), nil
}

// String returns all that was written so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// await waits until part has been written, and returns everything.
func (o *output) await(t *testing.T, part string) string {
	t.Helper()
	deadline := time.After(patience)
	for {
		if text := o.String(); strings.Contains(text, part) {
			return text
		}
		select {
		case <-o.written:
		case <-deadline:
			return o.String()
		}
	}
}
