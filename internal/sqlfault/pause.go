package sqlfault

import (
	"context"
	"math/rand/v2"
	"time"
)

// MaxTries is how often to try what meets transient faults. Deadlocks and
// serialization failures dissolve within a few tries; more would only keep the
// caller from hearing about a database that is overloaded.
const MaxTries = 10

const (
	firstDelay  = 5 * time.Millisecond
	longestWait = 250 * time.Millisecond
)

// Pause waits before another try, longer each time and by chance, so that those
// who collided do not collide again. It reports false when the context is done.
func Pause(ctx context.Context, try int) bool {
	limit := min(firstDelay<<min(try, 10), longestWait)
	timer := time.NewTimer(rand.N(limit))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
