package runtime

import (
	"context"
	"net/http"
	"time"
)

// await waits for a flight to land and reports whether it did. It gives up at
// the call's deadline, when the client leaves, when the guard closes, and at
// once when too many are waiting already. While it waits it holds nothing but
// its place among the waiters.
func (k *call) await(f *flight) bool {
	k.noteWaiting()
	return k.sleep(k.waitUntil(), f.landed) == landed
}

// untilDue waits until the store may be asked about the key again, the last time
// at the call's deadline. It reports false when the call should not wait any
// longer.
func (k *call) untilDue() bool {
	switch {
	case k.poll.due.IsZero():
		return true
	case k.outOfPatience():
		return false
	}
	k.noteWaiting()
	at := k.poll.due
	if last := k.waitUntil(); last.Before(at) {
		at = last
	}
	return k.sleep(at, nil) == due
}

type wakeUp int

const (
	gaveUp wakeUp = iota
	due
	landed
)

func (k *call) sleep(until time.Time, landing <-chan struct{}) wakeUp {
	if int(k.g.waiters.Add(1)) > k.g.cfg.MaxWaiters {
		k.g.waiters.Add(-1)
		return gaveUp
	}
	defer k.g.waiters.Add(-1)
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-landing:
		return landed
	case <-timer.C:
		return due
	case <-k.requestContext().Done():
		return gaveUp
	case <-k.g.closing:
		return gaveUp
	}
}

// waitUntil is when the call stops waiting, whatever it waits for.
func (k *call) waitUntil() time.Time { return k.began.Add(k.g.cfg.WaitTimeout) }

func (k *call) outOfPatience() bool { return !k.now().Before(k.waitUntil()) }

// now is time.Now for half its cost: of the two clocks, only the monotonic one is
// read again.
func (k *call) now() time.Time { return k.began.Add(time.Since(k.began)) }

func (k *call) noteWaiting() {
	if !k.waited {
		k.waited = true
		k.note(EventWaited)
	}
}

func (k *call) requestContext() context.Context { return k.c.Request().Context() }

// inProgress tells the client to come back. Where the state of a commit can be
// unknown the answer is 503, which clients resend with the same key; they take a
// 409 there for a failed commit and delete its files.
func (k *call) inProgress() error {
	k.note(EventInProgress)
	status := http.StatusConflict
	switch k.g.cfg.InProgressStatus {
	case InProgress503:
		status = http.StatusServiceUnavailable
	case InProgressAuto:
		if k.ex.op.StateUnknown {
			status = http.StatusServiceUnavailable
		}
	}
	e := Errorf(status, TypeInProgress, "The first request with this %s is still in progress", k.ex.op.KeyHeader)
	e.RetryAfter = k.retryAfter()
	return e
}

// retryAfter is how long a client should stay away: as long as it would have
// waited here, but at least a second, and less than is left of the key's
// lifetime. What is left is a hint by the client's clock; instants of the
// store's clock are not compared with ours at all, so that no skew between them
// can give an absurd answer.
func (k *call) retryAfter() time.Duration {
	wait := k.g.cfg.WaitTimeout
	if age, ok := k.age(); ok {
		wait = min(wait, k.g.cfg.Lifetime-max(age, 0)-time.Second)
	}
	return max(wait.Truncate(time.Second), time.Second)
}

// age is how long ago the key was made, by its own account.
func (k *call) age() (time.Duration, bool) {
	made, ok := keyTime(k.claim.Key)
	if !ok {
		return 0, false
	}
	return k.g.cfg.Now().Sub(made), true
}
