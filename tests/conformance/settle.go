package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The kit waits at least and at most that long before it comes back, whatever
// Retry-After says.
const (
	shortestPause = 100 * time.Millisecond
	longestPause  = 10 * time.Second
)

// leastTries is how often the kit comes back at least before its patience ends, since
// its own machine may have been held up all the while.
const leastTries = 3

// settle sends a call until the answer is something else than "come back later".
// When the kit's patience ends, so does the waiting, with an error in the answer.
func (t *trial) settle(ctx context.Context, c call, w way) answer {
	patience := time.Now().Add(t.options.Patience)
	for n := 1; ; n++ {
		a := t.send(ctx, c, w)
		pause, later := a.later(time.Now())
		if !later {
			return a
		}
		wait := pause
		if n > leastTries {
			wait = min(pause, time.Until(patience))
		}
		if sleep(ctx, wait) != nil || n > leastTries && !time.Now().Before(patience) {
			a.err = fmt.Errorf("still the same after %v", t.options.Patience)
			return a
		}
	}
}

// later reports whether an answer says that the request may be sent again as it
// is, and when.
func (a answer) later(now time.Time) (time.Duration, bool) {
	after := strings.TrimSpace(a.header.Get("Retry-After"))
	if a.err != nil || after == "" {
		return 0, false
	}
	switch a.status {
	case http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusServiceUnavailable:
	default:
		return 0, false
	}
	var pause time.Duration
	if seconds, err := strconv.Atoi(after); err == nil {
		pause = time.Duration(min(seconds, int(longestPause/time.Second))) * time.Second
	} else if date, err := http.ParseTime(after); err == nil {
		pause = date.Sub(now)
	} else {
		return 0, false
	}
	return min(max(pause, shortestPause), longestPause), true
}

// sleep waits, or less when the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
