package sqlstore

import (
	"context"
	"math/rand/v2"
	"time"
)

// How often a call is tried again, and the longest wait before that. Deadlocks
// and serialization failures dissolve within a few tries; more would only keep
// the caller from hearing about a database that is overloaded.
const (
	maxTries    = 10
	firstDelay  = 5 * time.Millisecond
	longestWait = 250 * time.Millisecond
)

// retry runs a call that the database may ask for again. A call that is safe to
// repeat although its first run may have been carried out is also repeated when
// the connection is lost.
func (s *Store) retry(ctx context.Context, repeatable bool, call func() error) error {
	for try := 1; ; try++ {
		err := call()
		if err == nil || try == maxTries || ctx.Err() != nil {
			return err
		}
		if !s.isTransient(err) && (!repeatable || !s.dialect.isLost(err)) {
			return err
		}
		if !pause(ctx, try) {
			return err
		}
	}
}

// pause waits before another try, longer each time and by chance, so that those
// who collided do not collide again. It reports false when the context is done.
func pause(ctx context.Context, try int) bool {
	limit := min(firstDelay<<min(try, 10), longestWait)
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(limit))))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
