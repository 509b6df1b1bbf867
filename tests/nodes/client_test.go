package nodes

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// request is one mutation, with its key. Sending it again is a retry.
type request struct {
	method, path, body string
	operation          string
	resource           string
	key                string
}

func createNamespace(name string) request {
	return newRequest("createNamespace", namespace(name), http.MethodPost, "/v1/namespaces", fmt.Sprintf(`{"namespace":[%q]}`, name))
}

func dropNamespace(name string) request {
	return newRequest("dropNamespace", namespace(name), http.MethodDelete, "/v1/namespaces/"+name, "")
}

func updateProperties(name string) request {
	return newRequest("updateProperties", namespace(name), http.MethodPost, "/v1/namespaces/"+name+"/properties", `{"updates":{"k":"v"}}`)
}

func updateTable(name string, base int64) request {
	return newRequest("updateTable", table(name), http.MethodPost, "/v1/namespaces/ns/tables/"+name, fmt.Sprintf(
		`{"requirements":[{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":%d}],"updates":[]}`, base))
}

func newRequest(operation, resource, method, path, body string) request {
	return request{
		method: method, path: path, body: body, operation: operation, resource: resource,
		key: uuid.Must(uuid.NewV7()).String(),
	}
}

func (r request) String() string { return r.operation + " " + r.resource + " " + r.key }

// answer is what a client got for one attempt; err when it got nothing.
type answer struct {
	node   string
	status int
	body   string
	kind   string // of an error
	header http.Header
	err    error
}

func (a answer) String() string {
	if a.err != nil {
		return fmt.Sprintf("%s: %v", a.node, a.err)
	}
	return fmt.Sprintf("%s: %d %s", a.node, a.status, a.body)
}

// again reports whether the answer tells nothing but to come back.
func (a answer) again() bool {
	return a.err != nil || a.kind == runtime.TypeInProgress || a.status == http.StatusServiceUnavailable
}

// final reports whether a client believes the answer and is done.
func (a answer) final() bool { return !a.again() && a.status < http.StatusInternalServerError }

func (a answer) success() bool  { return a.err == nil && a.status < 300 }
func (a answer) refused() bool  { return a.final() && !a.success() }
func (a answer) replayed() bool { return a.header.Get("Idempotency-Replayed") == "true" }

// unknown reports whether the client was told that nobody can tell.
func (a answer) unknown() bool {
	return a.status == http.StatusInternalServerError && a.kind == runtime.TypeStateUnknown
}

// equal compares what a replay must keep.
func (a answer) equal(b answer) bool {
	return a.status == b.status && a.body == b.body && a.header.Get("Etag") == b.header.Get("Etag")
}

// send makes one attempt. Headers come in pairs.
func (n *node) send(ctx context.Context, r request, headers ...string) answer {
	got := answer{node: n.config.Name}
	life := n.alive()
	if life == nil {
		got.err = fmt.Errorf("node %s never came up", n.config.Name)
		return got
	}
	req, err := http.NewRequestWithContext(ctx, r.method, "http://"+life.addr+r.path, strings.NewReader(r.body))
	if err != nil {
		got.err = err
		return got
	}
	if r.key != "" {
		req.Header.Set(generated.KeyHeader, r.key)
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	got.status, got.header, got.body, got.err = n.do(req)
	var failure struct{ Error struct{ Type string } }
	if json.Unmarshal([]byte(got.body), &failure) == nil {
		got.kind = failure.Error.Type
	}
	return got
}

func (n *node) do(req *http.Request) (status int, header http.Header, body string, err error) {
	resp, err := n.client.Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(text), err
}

// retry sends a request to the nodes in turn until one of them says more than
// to come back, and returns all answers, the telling one last.
func (c *cluster) retry(ctx context.Context, r request, nodes ...*node) (answers []answer) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for i := 0; ctx.Err() == nil; i++ {
		a := nodes[i%len(nodes)].send(ctx, r)
		answers = append(answers, a)
		if !a.again() {
			break
		}
		pause(ctx, 20*time.Millisecond)
	}
	return answers
}

// pause keeps a client from asking without a break.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func last(answers []answer) answer {
	if len(answers) == 0 {
		return answer{err: context.DeadlineExceeded}
	}
	return answers[len(answers)-1]
}
