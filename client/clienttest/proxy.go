package clienttest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// Proxy is a proxy on a free port of this machine. Make one with NewProxy and
// Close it.
type Proxy struct {
	// URL is where clients find it.
	URL string

	target   string
	choose   func(*http.Request) Fault
	listener net.Listener
	server   *http.Transport
	ctx      context.Context // ends what is under way to the server
	cancel   context.CancelFunc
	running  sync.WaitGroup

	mu     sync.Mutex
	conns  map[net.Conn]bool // those of clients
	closed bool
}

// NewProxy returns a running Proxy in front of the server at a URL, which is
// scheme and host alone. Choose is asked about each request, by one goroutine
// for each of the client's connections; it must not read the body. Nil stands
// for no faults.
func NewProxy(target string, choose func(*http.Request) Fault) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	if choose == nil {
		choose = func(*http.Request) Fault { return Fault{} }
	}
	p := &Proxy{
		URL:    "http://" + listener.Addr().String(),
		target: target, choose: choose, listener: listener,
		server: &http.Transport{DisableCompression: true},
		conns:  map[net.Conn]bool{},
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.running.Go(p.accept)
	return p, nil
}

// Close ends all connections and waits until the server has been heard of or cut
// off.
func (p *Proxy) Close() error {
	err := p.listener.Close()
	p.cancel()
	p.mu.Lock()
	p.closed = true
	for conn := range p.conns {
		_ = conn.Close()
	}
	p.mu.Unlock()
	p.running.Wait()
	p.server.CloseIdleConnections()
	return err
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		if !p.add(conn) {
			_ = conn.Close()
			return
		}
		p.running.Go(func() {
			defer p.remove(conn)
			defer conn.Close()
			in := bufio.NewReader(conn)
			for p.exchange(conn, in) {
			}
		})
	}
}

func (p *Proxy) add(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[conn] = true
	return !p.closed
}

func (p *Proxy) remove(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
}

// exchange serves one request and reports whether the connection lives on.
func (p *Proxy) exchange(conn net.Conn, in *bufio.Reader) bool {
	r, err := http.ReadRequest(in)
	if err != nil {
		return false
	}
	fault := p.choose(r)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return false
	}
	switch fault.Kind {
	case Drop:
		return false
	case Refuse:
		return fault.answer(conn)
	case Abandon:
		p.running.Go(func() { _, _ = p.forward(r, body) })
		return false
	case Duplicate:
		p.running.Go(func() { _, _ = p.forward(r, body) })
	}
	response, err := p.forward(r, body)
	if err != nil {
		return false
	}
	switch fault.Kind {
	case Lose:
		return false
	case Cut, Reset:
		_, _ = conn.Write(response.half())
		if tcp, ok := conn.(*net.TCPConn); ok && fault.Kind == Reset {
			_ = tcp.SetLinger(0)
		}
		return false
	case Replace:
		return fault.answer(conn)
	}
	_, err = conn.Write(response.text)
	return err == nil
}

// answer writes the fault's own answer.
func (f Fault) answer(conn net.Conn) bool {
	var text bytes.Buffer
	fmt.Fprintf(&text, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n", f.Status, http.StatusText(f.Status), len(f.Body))
	if f.RetryAfter != "" {
		fmt.Fprintf(&text, "Retry-After: %s\r\n", f.RetryAfter)
	}
	text.WriteString("\r\n" + f.Body)
	_, err := conn.Write(text.Bytes())
	return err == nil
}

// wire is an answer as it goes over the connection.
type wire struct {
	text []byte
	body int // its length
}

// half is all up to the middle of the body, or of the head if there is no body.
func (w wire) half() []byte {
	if w.body == 0 {
		return w.text[:len(w.text)/2]
	}
	return w.text[:len(w.text)-(w.body+1)/2]
}

// forward sends a request to the server, which does not see the client leave,
// and reads the whole answer.
func (p *Proxy) forward(r *http.Request, body []byte) (wire, error) {
	onward, err := http.NewRequestWithContext(p.ctx, r.Method, p.target+r.RequestURI, bytes.NewReader(body))
	if err != nil {
		return wire{}, err
	}
	onward.Header, onward.Host = r.Header, r.Host
	response, err := p.server.RoundTrip(onward)
	if err != nil {
		return wire{}, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return wire{}, err
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(answer)), int64(len(answer))
	response.TransferEncoding = nil
	var text bytes.Buffer
	if err := response.Write(&text); err != nil {
		return wire{}, err
	}
	return wire{text.Bytes(), len(answer)}, nil
}
