package storetest_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/storetest"
)

// breakage is the environment variable by which TestBrokenStores asks for one of
// the broken stores in a process of its own.
const breakage = "STORETEST_BREAKAGE"

// TestReference runs the whole suite on a store that keeps every promise, or, in
// a process that TestBrokenStores started, on one that does not.
func TestReference(t *testing.T) {
	t.Parallel()
	storetest.Run(t, openReference)
	storetest.RunTransactional(t, openReference)
}

// TestBrokenStores makes sure that the suite notices: for every broken store the
// behaviour that it breaks must fail.
func TestBrokenStores(t *testing.T) {
	t.Parallel()
	for name, b := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pattern := "^TestReference$/^" + strings.ReplaceAll(b.noticed, "/", "$/^") + "$"
			suite := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run", pattern)
			suite.Env = append(os.Environ(), breakage+"="+name)
			output, err := suite.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: TestReference/"+b.noticed) {
				t.Fatalf("%q did not notice (%v):\n%s", b.noticed, err, output)
			}
		})
	}
}

func openReference(tb testing.TB) storetest.Instance {
	tb.Helper()
	clock := &clock{now: time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)}
	records, err := memory.New(memory.Options{Clock: clock.Now})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { records.Close() })
	r := &reference{Store: records, rows: map[string]int{}}
	instance := storetest.Instance{Store: r, Advance: clock.Advance, Now: clock.Now, Counter: r}
	if name := os.Getenv(breakage); name != "" {
		b, ok := broken[name]
		if !ok {
			tb.Fatalf("%s=%s: no such broken store", breakage, name)
		}
		instance.Store = b.spoil(r)
	}
	return instance
}

// clock is a clock that stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
