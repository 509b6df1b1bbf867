package nodes

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// ledger is what the database holds: what really happened.
type ledger struct {
	executions map[string][]execution // by key
	versions   map[string]int64       // by resource
}

func (c *cluster) ledger() *ledger {
	c.t.Helper()
	l := &ledger{executions: map[string][]execution{}, versions: map[string]int64{}}
	var executions []execution
	if err := c.db.NewSelect().Model(&executions).Order("id").Scan(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	for _, e := range executions {
		l.executions[e.Key] = append(l.executions[e.Key], e)
	}
	var resources []resource
	if err := c.db.NewSelect().Model(&resources).Scan(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	for _, r := range resources {
		l.versions[r.Name] = r.Version
	}
	return l
}

// count returns the number of all executions.
func (l *ledger) count() (n int) {
	for _, e := range l.executions {
		n += len(e)
	}
	return n
}

// put creates resources that a test starts from.
func (c *cluster) put(names ...string) {
	c.t.Helper()
	resources := make([]resource, len(names))
	for i, name := range names {
		resources[i] = resource{Name: name, Version: 1}
	}
	if _, err := c.db.NewInsert().Model(&resources).Exec(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// seeded returns a source of choices and logs its seed, which NODES_SEED sets.
func seeded(t *testing.T) (*rand.Rand, uint64) {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("NODES_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("NODES_SEED: %v", err)
		}
	}
	t.Logf("NODES_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0)), seed
}

// eventually asks until the answer is yes.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for !holds() {
		if ctx.Err() != nil {
			t.Fatalf("waited in vain for %s", what)
		}
		pause(ctx, 10*time.Millisecond)
	}
}
