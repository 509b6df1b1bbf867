package runtime

import (
	"math/rand/v2"
	"time"
)

// backoff gives growing pauses between attempts to reach the store.
type backoff time.Duration

const (
	firstBackoff = 50 * time.Millisecond
	lastBackoff  = 2 * time.Second
)

func (b *backoff) next() time.Duration {
	*b = backoff(min(max(2*time.Duration(*b), firstBackoff), lastBackoff))
	return jitter(time.Duration(*b))
}

// jitter spreads a pause over its second half, so that nodes which began
// together do not go on together.
func jitter(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1)
}
