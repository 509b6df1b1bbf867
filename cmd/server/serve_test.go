package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

// beginCreate sends a keyed request but for the last bytes of its body, so that
// it is in flight until finish sends them.
func (p *process) beginCreate(t *testing.T, name string) (conn net.Conn, finish func() *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	body := `{"namespace":["` + name + `"]}`
	fmt.Fprintf(conn, "POST /v1/namespaces HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n"+
		"Idempotency-Key: %s\r\nContent-Length: %d\r\n\r\n", newKey(t), len(body))
	reader := bufio.NewReader(conn)
	// The server asks for the body when the handler begins to read it.
	if line, err := reader.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := reader.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return conn, func() *http.Response {
		fmt.Fprint(conn, body)
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatalf("the request in flight got no answer: %v\n%s", err, p.stderr)
		}
		response.Body.Close()
		return response
	}
}

func TestShutdownFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled")
	conn, finish := p.beginCreate(t, "a")
	defer conn.Close()
	p.cancel()
	p.stderr.await(t, "msg=stopping")
	if another, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://")); err == nil {
		another.Close() // the listener may close a moment after the message
	}
	select {
	case code := <-p.exited:
		t.Fatalf("the server ended with %d while a request was in flight", code)
	default:
	}
	if response := finish(); response.StatusCode != http.StatusOK {
		t.Errorf("the request in flight got %d", response.StatusCode)
	}
	if code := p.wait(); code != exitOK {
		t.Errorf("exit code %d\n%s", code, p.stderr)
	}
}

func TestShutdownIsBounded(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled", "--shutdown-timeout", "PT0.05S")
	conn, _ := p.beginCreate(t, "a")
	defer conn.Close()
	if code := p.stop(); code != exitFailure || !strings.Contains(p.stderr.String(), "cut off") {
		t.Errorf("exit code %d\n%s", code, p.stderr)
	}
}

// A signal does what the end of the context does. It reaches the whole process,
// so that no other server may run beside.
func TestSignalStops(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		p := start(t)
		if err := syscall.Kill(os.Getpid(), signal); err != nil {
			t.Fatal(err)
		}
		if code := p.wait(); code != exitOK {
			t.Errorf("%v: exit code %d\n%s", signal, code, p.stderr)
		}
	}
}

func TestAddressInUse(t *testing.T) {
	t.Parallel()
	p := start(t)
	code, _, stderr := run(t, "--listen", strings.TrimPrefix(p.url, "http://"))
	if code != exitFailure || !strings.Contains(stderr, "listen") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

func TestProbes(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled")
	if a := p.do(http.MethodGet, "/healthz", ""); a.status != 200 || a.text != `{"status":"ok"}` {
		t.Errorf("%d %s", a.status, a.text)
	}
	p.becomesReady()
}
