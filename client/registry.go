package client

import (
	"sync"
	"time"
)

// registry remembers what servers advertise, by their URLs.
type registry struct {
	mu      sync.Mutex
	servers map[string]*server
}

// server is what is known of a server. The registry's mutex guards it.
type server struct {
	known    bool
	lifetime time.Duration // 0: none is advertised
	bad      error         // what is advertised is no lifetime
	asking   *inquiry      // nil when nobody asks
}

// inquiry is a question under way, for all who want to know.
type inquiry struct {
	done chan struct{}
	err  error // to be read when done
}

func (g *registry) knows(url string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.servers[url]
	return s != nil && s.known
}

// ask returns what is known, or else the inquiry to wait for, which is the
// caller's to make when first is true.
func (g *registry) ask(url string) (s server, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	entry := g.entry(url)
	if first = !entry.known && entry.asking == nil; first {
		entry.asking = &inquiry{done: make(chan struct{})}
	}
	return *entry, first
}

// answered ends an inquiry.
func (g *registry) answered(url string, q *inquiry, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	q.err = err
	g.entry(url).asking = nil
	close(q.done)
}

func (g *registry) learn(url string, lifetime time.Duration, bad error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.entry(url)
	s.known, s.lifetime, s.bad = true, lifetime, bad
}

// entry is called with the mutex held.
func (g *registry) entry(url string) *server {
	s := g.servers[url]
	if s == nil {
		s = &server{}
		g.servers[url] = s
	}
	return s
}
