package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		http.DefaultClient.CloseIdleConnections()
		os.Exit(code)
	}))
}

// The demonstration itself, as `make demo` runs it.
func TestDemo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), buildTimeout)
	defer cancel()
	var out strings.Builder
	code := Do(ctx, &out)
	for _, part := range []string{
		"✓ 35 operations, 18 of them idempotent",
		"✓ cmd/server listens on http://127.0.0.1:",
		"✓ GET /v1/config: idempotency-key-lifetime is PT30M",
		"✓ the server answered 200; the client only sees a broken connection",
		"✓ 200, Idempotency-Replayed: true\n      " + body,
		"✓ 409 AlreadyExistsException: Namespace already exists: demo",
		"✓ 422 IdempotencyKeyReusedException: ",
		"✓ the server ended by itself",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q", part)
		}
	}
	if code != 0 || t.Failed() {
		t.Errorf("exit code %d\n%s", code, &out)
	}
}

// fake is a server with a fault, or without.
type fake struct {
	fault string
	mu    sync.Mutex
	known map[string]string // bodies by key
	made  bool
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method == http.MethodGet {
		config := map[string]any{"idempotency-key-lifetime": "PT30M"}
		if f.fault == "no lifetime" {
			delete(config, "idempotency-key-lifetime")
		}
		_ = json.NewEncoder(w).Encode(config)
		return
	}
	text, _ := io.ReadAll(r.Body)
	key := r.Header.Get("Idempotency-Key")
	first, again := f.known[key]
	switch {
	case f.fault == "broken":
		w.WriteHeader(http.StatusInternalServerError)
	case again && f.fault == "keys ignored":
		refuse(w, http.StatusConflict, "AlreadyExistsException")
	case again && first != string(text) && f.fault != "bodies ignored":
		refuse(w, http.StatusUnprocessableEntity, "IdempotencyKeyReusedException")
	case again:
		if f.fault != "unmarked" {
			w.Header().Set("Idempotency-Replayed", "true")
		}
		fmt.Fprint(w, first)
	case f.made && f.fault != "applied twice":
		refuse(w, http.StatusConflict, "AlreadyExistsException")
	default:
		f.made, f.known[key] = true, string(text)
		fmt.Fprint(w, string(text))
	}
}

func refuse(w http.ResponseWriter, status int, typ string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"message":"no","type":%q,"code":%d}}`, typ, status)
}

// The demonstration would notice.
func TestStoryNoticesFaults(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"":               "",
		"no lifetime":    "no lifetime is advertised",
		"broken":         "the server answered 500",
		"keys ignored":   "no replay",
		"unmarked":       "no replay",
		"applied twice":  "409 AlreadyExistsException was expected",
		"bodies ignored": "422 IdempotencyKeyReusedException was expected",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&fake{fault: fault, known: map[string]string{}})
			defer server.Close()
			var out strings.Builder
			err := story(t.Context(), &report{out: &out}, server.URL)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%v\n%s", err, &out)
			}
		})
	}
}

// A server that does not start, hangs, or does not end, is reported and gone.
func TestChildren(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, want string }{
		"fails":           {"echo out of luck >&2; exit 3", "out of luck"},
		"says nothing":    {"exec sleep 60", "did not start"},
		"says other":      {"echo hello; exec sleep 60", "did not start"},
		"ends in failure": {"trap 'exit 4' TERM; echo listening on http://x; while :; do sleep 0.01; done", "ended badly"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := filepath.Join(t.TempDir(), "server")
			if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			child, err := startServer(ctx, binary)
			if err == nil {
				err = child.stop()
				child.kill()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
		})
	}
}
