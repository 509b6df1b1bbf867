package specwatch

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
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// behind makes a test of its own, whose front is closed when play returns, and
// returns what it was told.
func behind(t *testing.T, server string, play func(t *testing.T, url string)) []string {
	t.Helper()
	told := &recorder{TB: t}
	t.Run("front", func(t *testing.T) {
		told.TB = t
		play(t, Front(told, server))
	})
	return told.told
}

// script is a server that hears one request and says something, byte by byte.
func script(t *testing.T, hears int, says string, end func(net.Conn)) (url string, heard func() string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	text := make(chan string, 1)
	var running sync.WaitGroup
	running.Go(func() {
		conn, err := listener.Accept()
		if err != nil {
			text <- err.Error()
			return
		}
		defer conn.Close()
		all := make([]byte, hears)
		n, _ := io.ReadFull(conn, all)
		_, _ = io.WriteString(conn, says)
		end(conn)
		text <- string(all[:n])
	})
	t.Cleanup(func() {
		listener.Close()
		running.Wait()
	})
	return "http://" + listener.Addr().String(), sync.OnceValue(func() string { return <-text })
}

func dial(t *testing.T, url string) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// Bytes go through as they are, both ways, and so do the ends of connections.
func TestFrontHandsOn(t *testing.T) {
	t.Parallel()
	silent := func(net.Conn) {}
	for name, c := range map[string]struct {
		sent, said string
		end        func(net.Conn)
		reset      bool
		violations int
	}{
		"raw paths": {
			sent: "GET /v1/namespaces/a%1Fb%2Fc+d%2B%25/tables?x=%zz HTTP/1.1\r\nhOST: h\r\nX-ODD: 1\r\n\r\n",
			said: ok + "ETag: \"a\"\r\nContent-Length: 18\r\n\r\n{\"identifiers\":[]}",
		},
		"no content": {
			sent: "DELETE /v1/namespaces/a HTTP/1.1\r\nHost: h\r\nIdempotency-KEY: k\r\n\r\n",
			said: "HTTP/1.1 204 No Content\r\nIdempotency-replayed: true\r\n\r\n",
		},
		"not modified": {
			sent: "GET /v1/namespaces/a/tables/t HTTP/1.1\r\nHost: h\r\n\r\n",
			said: "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
		},
		"HEAD": {
			sent: "HEAD /v1/namespaces/a HTTP/1.1\r\nHost: h\r\n\r\n",
			said: "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n",
		},
		"chunks": {
			sent:       "POST /v1/namespaces HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
			said:       "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Transfer-Encoding: chunked\r\n\r\n11\r\n{\"namespace\":[1]}\r\n0\r\n\r\n",
			violations: 2,
		},
		"no HTTP":          {sent: "hello", said: "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n400 Bad Request"},
		"killed":           {sent: "GET /v1/config HTTP/1.1\r\nHost: h\r\n\r\n", said: ok + "Content-Length: 100\r\n\r\n{", end: reset, reset: true},
		"said nothing":     {sent: "GET /v1/config HTTP/1.1\r\nHost: h\r\n\r\n"},
		"answered at once": {sent: "POST /v1/namespaces HTTP/1.1\r\nHost: h\r\nContent-Length: 99\r\n\r\n{", said: "HTTP/1.1 413 Too Big\r\nContent-Length: 0\r\n\r\n", violations: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end := c.end
			if end == nil {
				end = silent
			}
			server, heard := script(t, len(c.sent), c.said, end)
			told := behind(t, server, func(t *testing.T, url string) {
				conn := dial(t, url)
				if _, err := io.WriteString(conn, c.sent); err != nil {
					t.Fatal(err)
				}
				said, err := io.ReadAll(conn)
				if c.reset != errors.Is(err, syscall.ECONNRESET) {
					t.Errorf("the connection ended by %v", err)
				}
				if !c.reset && string(said) != c.said {
					t.Errorf("the client heard %q", said)
				}
				conn.Close()
			})
			if heard() != c.sent {
				t.Errorf("the server heard %q", heard())
			}
			if len(told) != c.violations {
				t.Errorf("%d violations are known, told was %q", c.violations, told)
			}
		})
	}
}

// A server sees its client leave: at once when it goes for good, and after the last
// byte when it only has nothing more to say.
func TestFrontEndsWithItsClient(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*net.TCPConn){
		"reset":  func(conn *net.TCPConn) { reset(conn) },
		"closed": func(conn *net.TCPConn) { conn.Close() },
		"half":   func(conn *net.TCPConn) { _ = conn.CloseWrite() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			left := make(chan error, 1)
			here := make(chan bool)
			server, _ := script(t, 3, "", func(conn net.Conn) {
				close(here)
				_, err := conn.Read(make([]byte, 1))
				left <- err
			})
			behind(t, server, func(t *testing.T, url string) {
				conn := dial(t, url)
				if _, err := io.WriteString(conn, "GET"); err != nil {
					t.Fatal(err)
				}
				<-here
				leave(conn)
				if err := <-left; errors.Is(err, io.EOF) == (name == "reset") {
					t.Errorf("the server saw %v", err)
				}
			})
		})
	}
}

// The answer to a client that has gone is looked into all the same.
func TestFrontHearsWhatNobodyHears(t *testing.T) {
	t.Parallel()
	const request = "GET /v1/namespaces HTTP/1.1\r\nHost: h\r\n\r\n"
	gone := make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-gone
		<-r.Context().Done()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"namespaces":1}`)
	}))
	defer server.Close()
	told := behind(t, server.URL, func(t *testing.T, url string) {
		conn := dial(t, url)
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		if err := conn.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		close(gone)
		// It does not read to the end.
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		conn.Close()
	})
	if len(told) != 1 || !strings.Contains(told[0], "listNamespaces, response (status 200), at /namespaces: ") {
		t.Errorf("%q", told)
	}
}

// Exchanges on one connection are told apart, and a violation that comes again and
// again is told once; of many, only some.
func TestFrontTellsWithinBounds(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		name := strings.TrimPrefix(r.URL.Path, "/v1/namespaces/")
		fmt.Fprintf(w, `{"namespace":["a"],"properties":{%q:1}}`, name)
	}))
	defer server.Close()
	told := behind(t, server.URL, func(t *testing.T, url string) {
		conn := dial(t, url)
		in := bufio.NewReader(conn)
		for i := range 3 * shown {
			name := i / 2
			if _, err := fmt.Fprintf(conn, "GET /v1/namespaces/%d HTTP/1.1\r\nHost: h\r\n\r\n", name); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(text), fmt.Sprintf(`{"%d":1}`, name)) {
				t.Fatalf("%q, %v", text, err)
			}
			response.Body.Close()
		}
	})
	if len(told) != shown+1 || !strings.Contains(told[shown-1], fmt.Sprintf("at /properties/%d: ", shown-1)) ||
		!strings.Contains(told[shown], "there is more") {
		t.Errorf("%d were told: %q", len(told), told)
	}
}

// Where nobody listens, there is no connection that lasts.
func TestFrontOfNothing(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	behind(t, "http://"+listener.Addr().String(), func(t *testing.T, url string) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			return // reset already
		}
		defer conn.Close()
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("somebody answers")
		}
	})
}
