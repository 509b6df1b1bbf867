package client_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/onceberg/onceberg/client"
)

// pipes is a network in memory, whose ends wait for one another as channels do.
// In a bubble of synctest net/http's own client and server speak over it, and a
// limit of time is met to the tick however busy the machine is.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
	close   func()
}

func newPipes() *pipes {
	p := &pipes{dialled: make(chan net.Conn), closed: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

func (p *pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.dialled <- far:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.close(); return nil }

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "pipe"} }

// overPipes returns a Transport to a handler, both within the test's bubble.
func overPipes(t *testing.T, handler http.HandlerFunc, change func(*client.Options)) *client.Transport {
	t.Helper()
	p := newPipes()
	server := &http.Server{Handler: handler} //nolint:gosec // its one client is the test
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(p) })
	network := &http.Transport{DialContext: p.Dial}
	t.Cleanup(func() {
		network.CloseIdleConnections()
		_ = server.Close()
		serving.Wait()
	})
	return newTransport(t, network, change)
}
