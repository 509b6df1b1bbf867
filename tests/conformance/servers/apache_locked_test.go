//go:build interop

package servers

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun/driver/sqliteshim"
)

// No kit can make a server fail, or take its time, from outside. With a lock on the
// database that stands behind Apache's server, these tests can, and show two more
// things that one must not learn from it.

// TestApacheKeepsAFailure: what failed once with a 500 fails for as long as its key
// lives, although the trouble is over. A server that promises anything releases the
// key.
func TestApacheKeepsAFailure(t *testing.T) {
	server := startApache(t, 200*time.Millisecond)
	key := newKey()
	release := lock(t, server.Database)
	first, err := createNamespace(t.Context(), server.URL(), "kept", key)
	if err != nil || first < http.StatusInternalServerError {
		t.Fatalf("with a locked database the first request got %d, %v", first, err)
	}
	release()
	again, err := createNamespace(t.Context(), server.URL(), "kept", key)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := createNamespace(t.Context(), server.URL(), "kept", newKey())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d; when the trouble is over, the same key gets %d and a fresh one %d", first, again, fresh)
	if again != first || fresh != http.StatusOK {
		t.Error("the server has learnt something: docs/conformance.md is out of date")
	}
}

// TestApacheWaitsWithoutBound: a retry that comes while the first attempt runs is
// not answered before that has ended, however long it takes.
func TestApacheWaitsWithoutBound(t *testing.T) {
	server := startApache(t, time.Minute)
	key := newKey()
	release := lock(t, server.Database)
	first := make(chan int, 1)
	go func() {
		status, _ := createNamespace(t.Context(), server.URL(), "held", key)
		first <- status
	}()
	patience, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	status, err := createNamespace(patience, server.URL(), "held", key)
	release()
	t.Logf("after 10 s the twin had %d, %v; the first attempt got %d when the lock was gone", status, err, <-first)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error("the server has learnt something: docs/conformance.md is out of date")
	}
}

func newKey() string { return uuid.Must(uuid.NewV7()).String() }

func createNamespace(ctx context.Context, url, name, key string) (status int, err error) {
	body := strings.NewReader(`{"namespace":["` + name + `"],"properties":{}}`)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/namespaces", body)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// lock takes the one write lock that an SQLite database has.
func lock(t *testing.T, file string) (release func()) {
	t.Helper()
	db, err := sql.Open(sqliteshim.ShimName, "file:"+file+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		conn.Close()
	}
}
