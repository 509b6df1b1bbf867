package memory

import (
	"fmt"
	"time"
)

// The bounds of a store whose Options do not set them.
const (
	DefaultMaxEntries = 10_000
	DefaultMaxBytes   = 256 << 20
)

// WhenFull says what a full store does with a new key.
type WhenFull string

// The ways to treat a new key when the store is full of live records.
const (
	// Evict makes room by forgetting a final record that is still alive.
	Evict WhenFull = "evict"
	// Refuse keeps every live record and refuses the new key with
	// store.ErrFull.
	Refuse WhenFull = "refuse"
)

// Cause says why live records were evicted.
type Cause string

// CauseCapacity is the eviction of a live final record to make room for a new
// key.
const CauseCapacity Cause = "capacity"

// Options configures New. The zero value is a working configuration.
type Options struct {
	// MaxEntries is how many records the store holds at most, reservations
	// included. Zero means DefaultMaxEntries.
	MaxEntries int
	// MaxBytes is the size of all stored bodies and summaries together from
	// which the store is full. Those that are being executed then may still add
	// theirs. Zero means DefaultMaxBytes.
	MaxBytes int64
	// WhenFull says what happens to a new key when the store is full. Empty
	// means Evict.
	WhenFull WhenFull
	// Clock is the store's only source of time; it must be safe for concurrent
	// use. Nil means time.Now.
	Clock func() time.Time
	// OnEvict, when set, is told how many live records a call has just evicted
	// and why. It runs on the goroutine of that call, outside the store's lock,
	// and should return quickly. Records that had expired do not count.
	OnEvict func(count int, cause Cause)
}

// withDefaults returns o with its zero fields filled in, or an error that names
// the field which cannot be used.
func (o Options) withDefaults() (Options, error) {
	if o.MaxEntries < 0 {
		return o, fmt.Errorf("memory: MaxEntries is %d, must not be negative", o.MaxEntries)
	}
	if o.MaxEntries == 0 {
		o.MaxEntries = DefaultMaxEntries
	}
	if o.MaxBytes < 0 {
		return o, fmt.Errorf("memory: MaxBytes is %d, must not be negative", o.MaxBytes)
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	switch o.WhenFull {
	case "":
		o.WhenFull = Evict
	case Evict, Refuse:
	default:
		return o, fmt.Errorf("memory: WhenFull is %q, must be %q or %q", o.WhenFull, Evict, Refuse)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return o, nil
}
