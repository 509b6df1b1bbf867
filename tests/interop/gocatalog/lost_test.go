//go:build interop

package gocatalog_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
)

var errLost = errors.New("the answer was lost")

// forgetful loses the first answer to each commit of a table, after the server
// has given it.
type forgetful struct {
	mu   sync.Mutex
	lost map[string]bool // by the commit's body
}

// RoundTrip implements http.RoundTripper.
func (f *forgetful) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/tables/t") && f.first(string(body)) {
		_, err := io.Copy(io.Discard, response.Body)
		return nil, errors.Join(errLost, err, response.Body.Close())
	}
	return advertised(r, response)
}

func (f *forgetful) first(body string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := !f.lost[body]
	f.lost[body] = true
	return first
}

// advertised adds a lifetime of keys to the configuration of a server that
// honours keys and does not say so. The harness names it.
func advertised(r *http.Request, response *http.Response) (*http.Response, error) {
	lifetime := os.Getenv("ONCEBERG_TEST_ADVERTISE")
	if lifetime == "" || !strings.HasSuffix(r.URL.Path, "/v1/config") {
		return response, nil
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, errors.Join(err, response.Body.Close())
	}
	told := strings.Replace(string(text), "{", `{"idempotency-key-lifetime":"`+lifetime+`",`, 1)
	response.Body = io.NopCloser(strings.NewReader(told))
	response.ContentLength = int64(len(told))
	response.Header.Del("Content-Length")
	return response, nil
}

// TestLostAnswers puts package client below iceberg-go, which sends no keys with
// commits by itself, and loses the answer to every commit.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	loser := &forgetful{lost: map[string]bool{}}
	var attempts []client.Attempt
	transport, err := client.NewTransport(client.Options{
		Operations: generated.Operations,
		Base:       loser,
		OnAttempt: func(a client.Attempt) {
			if a.Operation.ID == "updateTable" {
				attempts = append(attempts, a)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, rest.WithCustomTransport(transport))
	ident := in(newNamespace(t, c), "t")
	tbl := newTable(t, c, ident)
	for _, id := range []int{1, 2, 3} {
		if tbl, err = tbl.AppendTable(t.Context(), rows(t, id), 1024, nil); err != nil {
			t.Fatal(err)
		}
	}
	wantOnce(t, load(t, connect(t), ident), attempts)
}

// wantOnce holds that three commits were applied once each, though each was sent
// twice.
func wantOnce(t *testing.T, tbl *table.Table, attempts []client.Attempt) {
	t.Helper()
	wantIDs(t, tbl, 1, 2, 3)
	if got := len(tbl.Metadata().Snapshots()); got != 3 {
		t.Errorf("%d snapshots for 3 commits", got)
	}
	if len(attempts) != 6 {
		t.Fatalf("%d attempts, want two for each commit: %+v", len(attempts), attempts)
	}
	for i := 0; i < len(attempts); i += 2 {
		first, second := attempts[i], attempts[i+1]
		if first.Key != second.Key || !errors.Is(first.Cause, errLost) || second.Status != http.StatusOK {
			t.Errorf("the attempts of commit %d: %+v, %+v", i/2+1, first, second)
		}
	}
}
