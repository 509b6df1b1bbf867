package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
		"attempt 1: no answer\n      attempt 2: 200, Idempotency-Replayed: true\n",
		"✓ iceberg-go noticed nothing: the append succeeded",
		"attempt 1: no answer\n      attempt 2: 409\n",
		"CommitFailedException: Requirement failed: branch main",
		"✓ the table has 1 snapshot, and the rows 1 Ada, 2 Grace, 3 Edsger",
		"✓ the server ended by itself",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q", part)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines > 45 {
		t.Errorf("%d lines are too many to read", lines)
	}
	if code != 0 || t.Failed() {
		t.Errorf("exit code %d\n%s", code, &out)
	}
}

// A server that does not start, hangs, or does not end, is reported and gone.
func TestChildren(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script, want string
		limit        time.Duration
	}{
		"fails":           {"echo out of luck >&2; exit 3", "out of luck", buildTimeout},
		"says nothing":    {"exec sleep 600", "did not start", time.Second},
		"says other":      {"echo hello; exec sleep 600", "did not start", buildTimeout},
		"ends in failure": {"trap 'exit 4' TERM; echo listening on http://x; while :; do sleep 0.01; done", "ended badly", buildTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := filepath.Join(t.TempDir(), "server")
			// A process that another test starts meanwhile would keep the file open
			// for writing, and so from being run.
			syscall.ForkLock.RLock()
			err := os.WriteFile(binary, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700)
			syscall.ForkLock.RUnlock()
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), c.limit)
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
