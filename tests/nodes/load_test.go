package nodes

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"
)

// load is clients that send mutations, lose answers and retry. What they do
// follows from the seed, mutation by mutation; what they meet does not.
type load struct {
	*cluster
	history

	seed   uint64
	deaths float64 // the share of attempts that kill their node at some point
	start  *ledger

	acknowledged           atomic.Int64
	attempts, lost         atomic.Int64
	deadly, kills, freezes atomic.Int64
}

const (
	loadClients = 4
	// contestedTables are few, so that commits meet.
	contestedTables = 3
	// oldNames is how many namespaces each client can drop. They are none that it
	// has created: in two phases, a frozen attempt to create one may still come
	// through when the client has long got its answer and dropped it.
	oldNames = 100
)

func (c *cluster) newLoad(seed uint64, deaths float64) *load {
	c.t.Helper()
	var names []string
	for i := range contestedTables {
		names = append(names, table(fmt.Sprintf("t%d", i)))
	}
	for id := range loadClients {
		for i := range oldNames {
			names = append(names, namespace(oldName(id, i)))
		}
	}
	c.put(names...)
	return &load{cluster: c, seed: seed, deaths: deaths, start: c.ledger()}
}

func oldName(client, i int) string { return fmt.Sprintf("old-%d-%d", client, i) }

// run lets the clients send n mutations each, one after the other, or fewer when
// the context ends.
func (l *load) run(ctx context.Context, n int) {
	together(loadClients, func(id int) {
		for i := 0; i < n && ctx.Err() == nil; i++ {
			random := rand.New(rand.NewPCG(l.seed, uint64(id)<<32|uint64(i)))
			if r, ok := l.choose(ctx, random, id, i); ok {
				l.settle(ctx, random, r)
			}
		}
	})
}

// choose returns a mutation: the creation of a name that nobody else wants, or of
// one that others want too, a drop, a commit to what the client has just read.
func (l *load) choose(ctx context.Context, random *rand.Rand, id, i int) (r request, ok bool) {
	switch choice := random.IntN(10); {
	case choice < 2:
		return createNamespace(fmt.Sprintf("own-%d-%d", id, i)), true
	case choice < 4:
		return createNamespace(fmt.Sprintf("contested-%d", i)), true
	case choice < 6 && i < oldNames:
		return dropNamespace(oldName(id, i)), true
	}
	name := fmt.Sprintf("t%d", random.IntN(contestedTables))
	base, ok := l.version(ctx, l.any(random), name)
	return updateTable(name, base), ok
}

func (l *load) any(random *rand.Rand) *node { return l.nodes[random.IntN(len(l.nodes))] }

// version reads a table's version.
func (l *load) version(ctx context.Context, n *node, name string) (version int64, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	a := n.send(ctx, request{method: http.MethodGet, path: "/v1/namespaces/ns/tables/" + name})
	var found struct {
		Metadata struct {
			Version int64 `json:"current-snapshot-id"`
		} `json:"metadata"`
	}
	err := json.Unmarshal([]byte(a.body), &found)
	return found.Metadata.Version, a.success() && err == nil
}

// attemptTimeout is how long a client waits for a node, which may be frozen.
const attemptTimeout = 3 * time.Second

// settle sends a mutation until its client knows what became of it, or that
// nobody does.
func (l *load) settle(ctx context.Context, random *rand.Rand, r request) {
	for ctx.Err() == nil {
		a := l.attempt(ctx, random, r)
		if a.final() {
			l.acknowledged.Add(1)
			if random.IntN(3) == 0 {
				l.attempt(ctx, random, r)
			}
			return
		}
		if a.unknown() {
			return
		}
		pause(ctx, time.Duration(random.IntN(40))*time.Millisecond)
	}
}

// attempt sends a mutation to a random node, and maybe to a second one at the
// same time. Some answers get lost, some attempts kill their node.
func (l *load) attempt(ctx context.Context, random *rand.Rand, r request) answer {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	var headers []string
	if random.Float64() < l.deaths {
		l.deadly.Add(1)
		headers = []string{dieHeader, string(allPoints[random.IntN(len(allPoints))])}
	}
	impatient, leave := context.WithTimeout(ctx, time.Duration(1+random.IntN(30))*time.Millisecond)
	defer leave()
	first, second := l.any(random), l.any(random)
	switch random.IntN(5) {
	case 0: // two clients believe the request theirs; one hears nothing
		together(2, func(i int) {
			if i == 0 {
				l.record(r, first.send(ctx, r, headers...))
			} else {
				l.record(r, second.send(impatient, r))
			}
		})
		return l.best(r)
	case 1:
		return l.record(r, first.send(impatient, r, headers...))
	}
	return l.record(r, first.send(ctx, r, headers...))
}

func (l *load) record(r request, a answer) answer {
	l.attempts.Add(1)
	if a.err != nil {
		l.lost.Add(1)
	}
	l.add(r, a)
	return a
}
