package testdb

import (
	"bytes"
	"net"
	"sync"
	"testing"
)

// Proxy stands between a test and its database, and loses what the test wants
// lost. It ends with the test.
type Proxy struct {
	target   string
	listener net.Listener
	running  sync.WaitGroup

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]struct{}
	trap  *trap
}

// trap waits for a text on its way to the database, once.
type trap struct {
	text    []byte
	deliver bool // the database still gets it; only its answer is lost
	cut     bool // and nothing gets through any more
	sprung  chan struct{}
}

// Proxy opens a proxy to the database of the DSN and returns it with a DSN that
// leads through it.
func (s *Server) Proxy(tb testing.TB, dsn string) (*Proxy, string) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	rerouted, target, err := s.engine.reroute(dsn, listener.Addr().String())
	if err != nil {
		tb.Fatalf("testdb: proxy: %v", err)
	}
	p := &Proxy{target: target, listener: listener, conns: map[net.Conn]struct{}{}}
	p.running.Go(p.accept)
	tb.Cleanup(func() {
		listener.Close()
		p.Cut()
		p.running.Wait()
	})
	return p, rerouted
}

// Cut ends all connections and refuses new ones until Restore, as if the
// database were gone.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for c := range p.conns {
		c.Close()
	}
}

// Restore lets connections through again.
func (p *Proxy) Restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
}

// LoseRequest ends the next connection that sends text, before the database
// sees it. The channel is closed when that has happened.
func (p *Proxy) LoseRequest(text string) <-chan struct{} { return p.set(&trap{text: []byte(text)}) }

// LoseAnswer ends the next connection that sends text, once the database has
// got it and begins to answer. The channel is closed when that has happened.
func (p *Proxy) LoseAnswer(text string) <-chan struct{} {
	return p.set(&trap{text: []byte(text), deliver: true})
}

// CutAtAnswer does what LoseAnswer does, and refuses all connections from then
// on, as Cut does.
func (p *Proxy) CutAtAnswer(text string) <-chan struct{} {
	return p.set(&trap{text: []byte(text), deliver: true, cut: true})
}

func (p *Proxy) set(t *trap) <-chan struct{} {
	t.sprung = make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trap = t
	return t.sprung
}

// spring takes the trap when data holds its text.
func (p *Proxy) spring(data []byte) *trap {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trap == nil || !bytes.Contains(data, p.trap.text) {
		return nil
	}
	t := p.trap
	p.trap = nil
	p.cut = p.cut || t.cut
	return t
}

// admit takes note of a connection, unless the proxy is cut.
func (p *Proxy) admit(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *Proxy) dismiss(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	c.Close()
}

func (p *Proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return // closed: the test is over
		}
		p.running.Go(func() { p.serve(c) })
	}
}

// serve carries one connection until either side ends it.
func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	if !p.admit(client) {
		return
	}
	defer p.dismiss(client)
	database, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer database.Close()

	var caught sync.Mutex
	var lost *trap // set when the next answer must not get through
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer client.Close()
		pump(client, database, func([]byte) bool {
			caught.Lock()
			defer caught.Unlock()
			return lost == nil
		})
	}()
	pump(database, client, func(data []byte) bool {
		t := p.spring(data)
		if t == nil {
			return true
		}
		if !t.deliver {
			close(t.sprung)
			return false
		}
		caught.Lock()
		lost = t
		caught.Unlock()
		return true
	})
	database.Close()
	<-done
	if lost != nil {
		close(lost.sprung)
	}
}

// pump copies from src to dst until an end, or until pass refuses a piece.
func pump(dst, src net.Conn, pass func([]byte) bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			if !pass(buf[:n]) {
				return
			}
			if _, err := dst.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
