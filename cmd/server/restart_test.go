package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// Records in memory end with the server, and the catalog does not. The retry of
// what the server before has executed is not told its own effect as a refusal; a
// new request is told the truth.
func TestRestartWithRecordsInMemory(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	create := func(p *process, key string) answer {
		return p.do(http.MethodPost, "/v1/namespaces", `{"namespace":["ns"]}`, "Idempotency-Key", key)
	}
	key := uuid.Must(uuid.NewV7()).String()
	first := start(t, "--data-folder", folder, "--idempotency.enabled")
	if a := create(first, key); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if code := first.stop(); code != 0 || !strings.Contains(first.stderr.String(), "records are in memory") {
		t.Errorf("exit code %d, and the operator is told\n%s", code, first.stderr)
	}
	second := start(t, "--data-folder", folder, "--idempotency.enabled")
	if a := create(second, key); a.status != 500 || a.typ() != "CommitStateUnknownException" {
		t.Errorf("the retry got %d %s", a.status, a.text)
	}
	if a := create(second, uuid.Must(uuid.NewV7()).String()); a.status != 409 || a.typ() != "AlreadyExistsException" {
		t.Errorf("a new request got %d %s", a.status, a.text)
	}
}
