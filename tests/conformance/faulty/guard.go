package faulty

import (
	"net/http"
	"sync"
	"time"
)

// guard stands in front of the catalog and applies each keyed request once. Its
// records live as long as the server.
type guard struct {
	steps
	catalog http.Handler

	mu      sync.Mutex
	records map[string]*record
	order   []string // of the records, by age, where only so many are kept
}

// record is what is known of a key.
type record struct {
	binding string
	since   time.Time
	// done is closed when the first attempt has ended. The answer is nil if it is
	// not final: then the record is forgotten, and the next attempt is a first one.
	done   chan struct{}
	answer *answer
}

// ServeHTTP implements http.Handler.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	principal, known := g.principal(r)
	if !known {
		refusal(http.StatusUnauthorized, "NotAuthorizedException", "A token is needed").send(w)
		return
	}
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 || !g.takesKey(r) {
		g.catalog.ServeHTTP(w, r)
		return
	}
	key, ok := g.key(values)
	if !ok {
		refusal(http.StatusBadRequest, "BadRequestException", "Idempotency-Key must be one UUIDv7").send(w)
		return
	}
	sent, err := readRequest(r, principal)
	if err != nil {
		return // there is nobody to answer
	}
	binding := g.binding(sent)
	g.keyed(r, g.file(key, binding), binding).send(w)
}

// keyed answers a request that has a key.
func (g *guard) keyed(r *http.Request, key, binding string) *answer {
	for {
		known, first := g.claim(key, binding)
		if first {
			return g.execute(r, key, known)
		}
		if known.binding != binding {
			return g.refuse(known)
		}
		if a := g.meet(r.Context(), known); a != nil {
			return g.replay(a)
		}
	}
}

// claim returns the record of the key, and whether the caller has just made it.
func (g *guard) claim(key, binding string) (known *record, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known = g.records[key]
	if known != nil && (g.lives == 0 || time.Since(known.since) < g.lives) && !g.yields(known, binding) {
		return known, false
	}
	g.makeRoom(key)
	mine := &record{binding: binding, since: time.Now(), done: make(chan struct{})}
	if g.reserves {
		g.records[key] = mine
	}
	return mine, true
}

// makeRoom forgets the oldest key where only so many are kept. It is called with the
// mutex held.
func (g *guard) makeRoom(key string) {
	if g.keeps == 0 {
		return
	}
	if g.order = append(g.order, key); len(g.order) > g.keeps {
		delete(g.records, g.order[0])
		g.order = g.order[1:]
	}
}

// execute has the catalog serve the request, and keeps the answer if it is final.
func (g *guard) execute(r *http.Request, key string, mine *record) *answer {
	a := g.run(g.catalog, r)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.final(r, a) {
		mine.answer = a
		g.records[key] = mine
	} else {
		delete(g.records, key)
	}
	close(mine.done)
	return a
}
