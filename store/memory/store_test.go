package memory_test

import (
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStore(t *testing.T) {
	t.Parallel()
	for _, whenFull := range []memory.WhenFull{memory.Evict, memory.Refuse} {
		t.Run(string(whenFull), func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(tb testing.TB) storetest.Instance {
				clock := newClock()
				options := memory.Options{MaxEntries: 3000, WhenFull: whenFull, Clock: clock.Now}
				return storetest.Instance{
					Store:    open(tb, options),
					Advance:  clock.Advance,
					Now:      clock.Now,
					Capacity: options.MaxEntries,
				}
			})
		})
	}
}

// TestStoreByTheRealClock runs the suite as for a store whose clock nobody can
// move.
func TestStoreByTheRealClock(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(tb testing.TB) storetest.Instance {
		return storetest.Instance{
			Store:    open(tb, memory.Options{MaxEntries: 3000}),
			Capacity: 3000,
		}
	})
}

func open(tb testing.TB, options memory.Options) *memory.Store {
	tb.Helper()
	s, err := memory.New(options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

// clock is a clock that stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock {
	return &clock{now: time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)}
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
