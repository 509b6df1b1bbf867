package clienttest_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/client/clienttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// counter is a server that tells what it got, and counts it.
type counter struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
	came chan struct{}
}

func newCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{came: make(chan struct{}, 10)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		text := fmt.Sprintf("%s %s %s %s", r.Method, r.RequestURI, r.Header.Get("X-Test"), body)
		c.mu.Lock()
		c.seen = append(c.seen, text)
		c.mu.Unlock()
		c.came <- struct{}{}
		w.Header().Set("X-Answer", "yes")
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(c.Close)
	return c
}

const (
	path = "/a%2Fb+c?q=%20x"
	want = "POST /a%2Fb+c?q=%20x y body"
)

// send sends a request over a connection of its own and returns all that comes
// back, and how that ended.
func send(t *testing.T, proxy *clienttest.Proxy, method string) (string, error) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(proxy.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: h\r\nX-Test: y\r\nContent-Length: 4\r\n\r\nbody", method, path)
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.CloseWrite()
	}
	text, err := io.ReadAll(conn)
	return string(text), err
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   clienttest.Fault
		reaches int    // the server, so often
		begins  string // the answer, if there is one
		ends    string
	}{
		"pass":          {clienttest.Fault{}, 1, "HTTP/1.1 200 OK\r\n", want},
		"drop":          {clienttest.Fault{Kind: clienttest.Drop}, 0, "", ""},
		"lose":          {clienttest.Fault{Kind: clienttest.Lose}, 1, "", ""},
		"cut":           {clienttest.Fault{Kind: clienttest.Cut}, 1, "HTTP/1.1 200 OK\r\n", "\r\n\r\n" + want[:len(want)/2]},
		"abandon":       {clienttest.Fault{Kind: clienttest.Abandon}, 1, "", ""},
		"duplicate":     {clienttest.Fault{Kind: clienttest.Duplicate}, 2, "HTTP/1.1 200 OK\r\n", want},
		"refuse by 429": {clienttest.Fault{Kind: clienttest.Refuse, Status: 429}, 0, "HTTP/1.1 429 Too Many Requests\r\n", "\r\n\r\n"},
		`refuse by 404, "default backend"`: {
			clienttest.Fault{Kind: clienttest.Refuse, Status: 404, Body: "default backend"},
			0,
			"HTTP/1.1 404 Not Found\r\nContent-Length: 15\r\n", "\r\n\r\ndefault backend",
		},
		"replace by 503, Retry-After 7": {
			clienttest.Fault{Kind: clienttest.Replace, Status: 503, RetryAfter: "7"},
			1,
			"HTTP/1.1 503 Service Unavailable\r\n", "\r\nRetry-After: 7\r\n\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.fault.String(); got != name {
				t.Errorf("called %q", got)
			}
			server := newCounter(t)
			proxy, err := clienttest.NewProxy(server.URL, func(r *http.Request) clienttest.Fault {
				if r.RequestURI != path {
					t.Errorf("asked about %s", r.RequestURI)
				}
				return test.fault
			})
			if err != nil {
				t.Fatal(err)
			}
			defer proxy.Close()
			text, err := send(t, proxy, http.MethodPost)
			if err != nil || !strings.HasPrefix(text, test.begins) || !strings.HasSuffix(text, test.ends) || test.begins == "" && text != "" {
				t.Errorf("%q %v", text, err)
			}
			for range test.reaches {
				<-server.came
			}
			server.mu.Lock()
			defer server.mu.Unlock()
			if len(server.seen) != test.reaches || test.reaches > 0 && server.seen[0] != want {
				t.Errorf("the server got %q", server.seen)
			}
		})
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	server := newCounter(t)
	proxy, err := clienttest.NewProxy(server.URL, func(*http.Request) clienttest.Fault { return clienttest.Fault{Kind: clienttest.Reset} })
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	if text, err := send(t, proxy, http.MethodPost); !errors.Is(err, syscall.ECONNRESET) || strings.HasSuffix(text, want) {
		t.Errorf("%q %v", text, err)
	}
}

// An answer without a body is cut in its head.
func TestCutHead(t *testing.T) {
	t.Parallel()
	server := newCounter(t)
	proxy, err := clienttest.NewProxy(server.URL, func(*http.Request) clienttest.Fault { return clienttest.Fault{Kind: clienttest.Cut} })
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	if text, err := send(t, proxy, http.MethodDelete); err != nil || text == "" || strings.HasSuffix(text, "\r\n\r\n") {
		t.Errorf("%q %v", text, err)
	}
}

// A connection serves one request after another, until a fault ends it or the
// server is gone.
func TestConnectionLivesOn(t *testing.T) {
	t.Parallel()
	server := newCounter(t)
	proxy, err := clienttest.NewProxy(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(proxy.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for range 3 {
		fmt.Fprintf(conn, "DELETE %s HTTP/1.1\r\nHost: h\r\n\r\n", path)
		response, err := http.ReadResponse(in, nil)
		if err != nil || response.StatusCode != 204 || response.Header.Get("X-Answer") != "yes" {
			t.Fatalf("%v %v", response, err)
		}
		_ = response.Body.Close()
	}
	server.Close()
	fmt.Fprintf(conn, "DELETE %s HTTP/1.1\r\nHost: h\r\n\r\n", path)
	if b, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("%q %v; want the end", b, err)
	}
}

// Close ends what is under way, on both sides.
func TestClose(t *testing.T) {
	t.Parallel()
	came := make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		came <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	kinds := make(chan clienttest.Kind, 2)
	kinds <- clienttest.Pass
	kinds <- clienttest.Abandon
	proxy, err := clienttest.NewProxy(server.URL, func(*http.Request) clienttest.Fault { return clienttest.Fault{Kind: <-kinds} })
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			if text, _ := send(t, proxy, http.MethodPost); text != "" {
				t.Errorf("%q", text)
			}
		})
	}
	<-came
	<-came
	if err := proxy.Close(); err != nil {
		t.Error(err)
	}
	wait.Wait()
	if _, err := net.Dial("tcp", strings.TrimPrefix(proxy.URL, "http://")); err == nil {
		t.Error("it still listens")
	}
}

func TestUnknownKind(t *testing.T) {
	t.Parallel()
	if got := clienttest.Kind(99).String(); got != "Kind(99)" {
		t.Error(got)
	}
}
