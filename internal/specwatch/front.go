package specwatch

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
)

// Front returns a URL that leads to the server at another one, and fails the test
// for each violation on the way. It works on connections: every byte is handed on
// as it came, both ways, and so is the end of each direction, whether it was
// closed or reset. A copy is read beside that, and keeps neither side waiting.
//
// It ends with the test, and says how much went through.
func Front(t testing.TB, server string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	if u.Scheme != "http" || u.Port() == "" {
		t.Fatalf("specwatch: a front reads http to a port alone, not %s", u.Redacted())
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &front{findings: newFindings(t), server: u.Host, listener: listener, ends: map[net.Conn]bool{}}
	f.running.Go(f.accept)
	t.Cleanup(func() {
		f.close()
		t.Logf("%d exchanges were held against the specification", f.findings.count())
	})
	u.Host = listener.Addr().String()
	return u.String()
}

// front is what listens before a server.
type front struct {
	findings *findings
	server   string
	listener net.Listener
	running  sync.WaitGroup

	mu     sync.Mutex
	ends   map[net.Conn]bool // of all connections, both
	closed bool
}

func (f *front) accept() {
	for {
		client, err := f.listener.Accept()
		if err != nil {
			return // closed
		}
		f.running.Go(func() { f.serve(client) })
	}
}

// serve joins a client's connection to one of the server's. A server that is not
// there resets it: nothing else comes close to a port on which nobody listens.
func (f *front) serve(client net.Conn) {
	defer f.forget(client)
	if !f.keep(client) {
		return
	}
	server, err := net.Dial("tcp", f.server)
	if err != nil {
		reset(client)
		return
	}
	defer f.forget(server)
	if !f.keep(server) {
		return
	}
	sent, received := newSpool(), newSpool()
	var all sync.WaitGroup
	all.Go(func() { hand(client, server, sent) })
	all.Go(func() { hand(server, client, received) })
	f.read(sent, received)
	all.Wait()
}

// hand gives what one side says to the other one, until it has said everything.
// What is copied was said, whether the other side still hears it or not.
func hand(from, to net.Conn, heard *spool) {
	defer heard.close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		heard.add(buffer[:n])
		if _, gone := to.Write(buffer[:n]); gone != nil {
			reset(from)
			return
		}
		switch {
		case errors.Is(err, io.EOF):
			if half, ok := to.(*net.TCPConn); ok {
				_ = half.CloseWrite() // it may be gone
			}
			return
		case err != nil:
			reset(to)
			return
		}
	}
}

// reset ends a connection as a process does that dies with unread data.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// read looks into one exchange after the other, until what was said ends or is not
// HTTP.
func (f *front) read(sent, received io.Reader) {
	in, out := bufio.NewReader(sent), bufio.NewReader(received)
	for {
		request, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		x := exchange{request: request}
		x.sent, err = io.ReadAll(request.Body)
		x.unsent = err != nil
		response, err := final(out, request)
		if err != nil {
			return
		}
		x.received, err = io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			return // nobody was told all of it
		}
		x.status, x.header = response.StatusCode, response.Header
		f.findings.add(context.Background(), x)
		if x.unsent || x.status == http.StatusSwitchingProtocols {
			return
		}
	}
}

// final skips the responses that only say that another one comes.
func final(out *bufio.Reader, request *http.Request) (*http.Response, error) {
	for {
		response, err := http.ReadResponse(out, request)
		if err != nil || response.StatusCode >= http.StatusOK || response.StatusCode == http.StatusSwitchingProtocols {
			return response, err
		}
	}
}

// keep remembers an end of a connection, unless all are being closed.
func (f *front) keep(conn net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ends[conn] = true
	return !f.closed
}

func (f *front) forget(conn net.Conn) {
	_ = conn.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.ends, conn)
}

// close ends all connections, and waits until everything that was said has been
// looked into.
func (f *front) close() {
	_ = f.listener.Close()
	f.mu.Lock()
	f.closed = true
	for conn := range f.ends {
		_ = conn.Close()
	}
	f.mu.Unlock()
	f.running.Wait()
}
