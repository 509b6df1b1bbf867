package client_test

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/onceberg/onceberg/client"
)

// Nobody listens: nothing was sent, and it is tried again.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, halfHour) }))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	transport := overNetwork(t, func(o *client.Options) { o.MaxAttempts = 3 })
	config, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/config", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(config)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	transport.CloseIdleConnections()
	server.Close()

	_, err = transport.RoundTrip(post(t, url+"/v1/namespaces"))
	var e *client.Error
	if !errors.As(err, &e) || e.Attempts != 3 || e.StateUnknown || !errors.Is(err, client.ErrAttempts) {
		t.Errorf("%v", err)
	}
}

// once serves texts over one connection, one for each request, and reads another
// request that it does not answer; then it closes it.
func once(t *testing.T, listener net.Listener, texts ...string) {
	t.Helper()
	conn, err := listener.Accept()
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for i := range len(texts) + 1 {
		r, err := http.ReadRequest(in)
		if err != nil {
			return // the client has left
		}
		_, _ = io.Copy(io.Discard, r.Body)
		if i < len(texts) {
			_, _ = io.WriteString(conn, texts[i])
		}
	}
}

// net/http resends a keyed request by itself when a connection that it reuses
// breaks, and tells of what came of it the second time. It may have been applied
// the first time: neither that nobody listens any more nor that a token has run
// out means that it was not.
func TestHiddenResend(t *testing.T) {
	t.Parallel()
	config := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(halfHour), halfHour)
	for name, test := range map[string]struct {
		second string
		want   func(error) bool
	}{
		"nobody listens": {"", func(err error) bool {
			var dial *net.OpError
			return errors.As(err, &dial) && dial.Op == "dial"
		}},
		"refused": {"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", func(err error) bool {
			var s *client.StatusError
			return errors.As(err, &s) && s.Status == 401
		}},
		"to come back": {"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n", func(err error) bool {
			var s *client.StatusError
			return errors.As(err, &s) && s.Status == 429
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			transport := overNetwork(t, func(o *client.Options) { o.MaxAttempts = 1 })
			var served sync.WaitGroup
			served.Go(func() {
				defer listener.Close()
				if test.second == "" {
					// The listener is gone before the connection breaks.
					conn, err := listener.Accept()
					_ = listener.Close()
					if err == nil {
						once(t, &single{conn}, config)
					}
					return
				}
				once(t, listener, config)
				once(t, listener, test.second)
			})
			_, err = transport.RoundTrip(post(t, "http://"+listener.Addr().String()+"/v1/namespaces"))
			var e *client.Error
			if !errors.As(err, &e) || !e.StateUnknown || e.Attempts != 1 || !test.want(err) {
				t.Errorf("%v", err)
			}
			transport.CloseIdleConnections()
			served.Wait()
		})
	}
}

// single is a listener with one connection.
type single struct{ net.Conn }

func (s *single) Accept() (net.Conn, error) { return s.Conn, nil }
func (s *single) Addr() net.Addr            { return s.LocalAddr() }

// A server that cannot prove who it is will not be able to the next time either.
func TestBadCertificate(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { requests.Add(1); _, _ = io.WriteString(w, halfHour) })
	encrypted := httptest.NewUnstartedServer(handler)
	encrypted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	encrypted.StartTLS()
	defer encrypted.Close()
	plain := httptest.NewServer(handler)
	defer plain.Close()

	transport := overNetwork(t, func(*client.Options) {})
	for name, url := range map[string]string{
		"unknown authority": encrypted.URL, "no TLS at all": strings.Replace(plain.URL, "http:", "https:", 1),
	} {
		_, err := transport.RoundTrip(post(t, url+"/v1/namespaces"))
		var e *client.Error
		if !errors.As(err, &e) || e.StateUnknown || e.Attempts != 0 || !strings.Contains(err.Error(), "getConfig is unsettled after 1 attempt:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests got through", n)
	}
}

// raw answers mutations by texts, one each, and closes the connection after it.
func raw(t *testing.T, texts ...string) (url string, mutations *atomic.Int32) {
	t.Helper()
	mutations = &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, halfHour)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		n := int(mutations.Add(1))
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, texts[min(n, len(texts))-1])
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1/namespaces", mutations
}

// An answer that is cut off is noticed in every form that answers come in, and
// one that is not cut off is not.
func TestCutAnswers(t *testing.T) {
	t.Parallel()
	const body = `{"namespace":["db"]}`
	packed := packed(body)
	for name, test := range map[string]struct {
		head, whole, cut string
	}{
		"length":             {"Content-Length: 20\r\n", body, body[:19]},
		"chunks":             {"Transfer-Encoding: chunked\r\n", "14\r\n" + body + "\r\n0\r\n\r\n", "14\r\n" + body + "\r\n"},
		"gzip, no length":    {"Content-Encoding: gzip\r\n", packed, packed[:len(packed)-1]},
		"JSON, no length":    {"Content-Type: application/json; charset=utf-8\r\n", body, body[:19]},
		"problem, no length": {"Content-Type: application/problem+json\r\n", body, body[:0]},
		"head":               {"Content-Length: 20\r\n", body, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := func(text string) string { return "HTTP/1.1 200 OK\r\n" + test.head + "\r\n" + text }
			cut := answer(test.cut)
			if name == "head" {
				cut = cut[:30]
			}
			url, mutations := raw(t, cut, cut, answer(test.whole))
			response, err := overNetwork(t, func(*client.Options) {}).RoundTrip(post(t, url))
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if string(text) != body || err != nil || mutations.Load() != 3 {
				t.Errorf("%q %v after %d attempts", text, err, mutations.Load())
			}
		})
	}
}

// Without length and type a cut shows all the same, as what is left is no JSON.
func TestAnswerOfUnknownForm(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
	url, mutations := raw(t, head+"{", head+"{}")
	response, err := overNetwork(t, func(*client.Options) {}).RoundTrip(post(t, url))
	if err != nil || mutations.Load() != 2 {
		t.Fatalf("%v after %d attempts", err, mutations.Load())
	}
	_ = response.Body.Close()
}

func packed(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}
