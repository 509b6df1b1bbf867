package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// listener is a writer that tells when it is said what is waited for.
type listener struct {
	bytes.Buffer
	heard func()
}

func (l *listener) Write(p []byte) (int, error) {
	n, err := l.Buffer.Write(p)
	if bytes.Contains(p, []byte(waiting)) {
		l.heard()
	}
	return n, err
}

// The first interrupt says at once what is waited for. The second one leaves, and names
// what may be left.
func TestTwoInterrupts(t *testing.T) {
	t.Parallel()
	interrupts := make(chan os.Signal, 2)
	var once sync.Once
	server := faulty.Before(t, faulty.Start(t, nil), func(_ http.ResponseWriter, r *http.Request) bool {
		hangs := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/tables")
		if hangs {
			once.Do(func() { interrupts <- os.Interrupt })
			_, _ = io.Copy(io.Discard, r.Body) // to hear of a client that leaves
			<-r.Context().Done()
		}
		return hangs
	})
	var stdout bytes.Buffer
	stderr := listener{heard: func() { interrupts <- os.Interrupt }}
	code := Do(t.Context(), interrupts, []string{
		"--token", faulty.Token, "--timeout", "1h", "--parallel", "1", "--only", "updateTable", server,
	}, &stdout, &stderr)
	if code != exitBadInput || !strings.Contains(stderr.String(), waiting+"\n") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	for _, want := range []string{"Left behind:\n  namespace conform_", "The run was ended before its end."} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is missing: %s", want, stdout.String())
		}
	}
}

// After one interrupt all is cleaned up.
func TestOneInterrupt(t *testing.T) {
	t.Parallel()
	interrupts := make(chan os.Signal, 2)
	var once sync.Once
	server := faulty.Before(t, faulty.Start(t, nil), func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/tables") {
			once.Do(func() { interrupts <- os.Interrupt })
		}
		return false
	})
	var stdout, stderr bytes.Buffer
	code := Do(t.Context(), interrupts, []string{"--token", faulty.Token, "--only", "updateTable/malformed", "--only", "dropTable", server}, &stdout, &stderr)
	if code != exitBadInput || !strings.Contains(stderr.String(), waiting) {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if strings.Contains(stdout.String(), "Left behind") {
		t.Errorf("something is left: %s", stdout.String())
	}
}

// A server without keys is not blamed for what no client asks of it.
func TestIdempotencyOff(t *testing.T) {
	t.Parallel()
	server := faulty.Before(t, faulty.Start(t, nil), func(w http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Idempotency-Key")
		if r.URL.Path == "/v1/config" {
			_, _ = io.WriteString(w, `{"defaults":{},"overrides":{}}`)
			return true
		}
		return false
	})
	r := conform(t, "--token", faulty.Token, server)
	if r.code != exitBadInput || !strings.Contains(r.stdout, "Too little could be judged") || strings.Contains(r.stdout, "FAIL") {
		t.Errorf("%+v", r)
	}
	if all := conform(t, "--token", faulty.Token, "--all", "--only", "server/crowd", server); all.code != 1 {
		t.Errorf("with --all: %+v", all)
	}
}

// Where there is no table, lines tell from time to time how far a run is.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out, notes strings.Builder
		s := newScreen(&out, &notes)
		over := make(chan struct{})
		var ticking sync.WaitGroup
		ticking.Go(func() { s.tick(over) })
		<-time.After(progress + time.Second)
		s.show(conformance.Result{Operation: "dropTable", Case: "replay"}, 7, 276)
		<-time.After(2 * progress)
		close(over)
		ticking.Wait()
		want := "conform: nothing yet after 10s\n" +
			"conform: 7 of 276 after 20s, dropTable/replay the last\nconform: 7 of 276 after 30s, dropTable/replay the last\n"
		if notes.String() != want || out.String() != "" {
			t.Errorf("%q, %q", notes.String(), out.String())
		}
	})
}
