package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/onceberg/onceberg/runtime"
)

// Options says how a Transport works. Operations is needed; the zero value of
// each other field means its default.
type Options struct {
	// Operations is the table that generated code holds under this name. It must
	// be the whole table: an operation that takes no key is told by it from one
	// that does, and a request that fits neither is left alone.
	Operations []*runtime.Operation
	// Base sends the single attempts. Authentication belongs into it, so that
	// each attempt carries a token of its own and not the first one's. Default
	// http.DefaultTransport.
	Base http.RoundTripper
	// MaxAttempts is how often a request is sent at most, the first time
	// included; so is the question for a server's configuration. Default 10.
	MaxAttempts int
	// AttemptTimeout is how long one attempt waits for its whole answer before
	// it counts as lost. Default 90 seconds, which is more than a server of this
	// project lets a handler run.
	AttemptTimeout time.Duration
	// MinBackoff is the first pause between two attempts, MaxBackoff the longest;
	// each pause is twice the one before, less up to half of it by chance. A
	// Retry-After that asks for more is obeyed. Default 100 milliseconds and 10
	// seconds.
	MinBackoff, MaxBackoff time.Duration
	// MaxBuffer is the size in bytes up to which bodies are held in memory. A
	// request body that is larger and has no GetBody is refused by
	// ErrBodyTooLarge. Of a larger answer the rest is streamed, and not resent
	// for if it is cut off; a refusal is held up to 64 KiB in any case. Default
	// 64 MiB.
	MaxBuffer int64
	// OnAttempt is told of every attempt with a key, after it. It is called in
	// the goroutine of the request, so from many at once, and should be quick.
	// Nil tells nobody.
	OnAttempt func(Attempt)
	// Clock is the time that pauses and lifetimes go by. Default the system's.
	Clock Clock
	// Random is where keys and the chance in pauses come from; it is read by many
	// goroutines at once. Default crypto/rand.
	Random io.Reader
}

// Attempt is one sending of a keyed request, and what came of it. On a connection
// that breaks while it is reused, net/http sends a keyed request once more by
// itself, with the same key; that is part of the attempt.
type Attempt struct {
	// Operation is what the request was found to be.
	Operation *runtime.Operation
	// Key is the same for all attempts of a request.
	Key string
	// Number counts the attempts of a request from 1.
	Number int
	// Status is the answer's, 0 when there was none.
	Status int
	// Replayed is true when the server says that it answered from the record of
	// an earlier attempt (Idempotency-Replayed: true).
	Replayed bool
	// Cause is why the attempt settled nothing: a *StatusError for an answer, any
	// other error for a lost one. Nil when the answer went to the caller.
	Cause error
	// Pause is how long the next attempt is waited for; 0 when there is none.
	Pause time.Duration
}

// Clock is a source of time. Its methods are called from many goroutines.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// Wait returns nil when d has gone by, and the context's error when that ends
	// first.
	Wait(ctx context.Context, d time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const (
	defaultMaxAttempts    = 10
	defaultAttemptTimeout = 90 * time.Second
	defaultMinBackoff     = 100 * time.Millisecond
	defaultMaxBackoff     = 10 * time.Second
	defaultMaxBuffer      = 64 << 20
)

func (o Options) withDefaults() Options {
	if o.Base == nil {
		o.Base = http.DefaultTransport
	}
	if o.MaxAttempts == 0 {
		o.MaxAttempts = defaultMaxAttempts
	}
	if o.AttemptTimeout == 0 {
		o.AttemptTimeout = defaultAttemptTimeout
	}
	if o.MinBackoff == 0 {
		o.MinBackoff = defaultMinBackoff
	}
	if o.MaxBackoff == 0 {
		o.MaxBackoff = max(defaultMaxBackoff, o.MinBackoff)
	}
	if o.MaxBuffer == 0 {
		o.MaxBuffer = defaultMaxBuffer
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return o
}

// check names the first field that has a bad value.
func (o Options) check() error {
	if len(o.Operations) == 0 {
		return errors.New("client: Options.Operations is empty; it is generated code's table of operations")
	}
	for _, rule := range []struct {
		broken bool
		field  string
		value  any
		want   string
	}{
		{o.MaxAttempts < 1, "MaxAttempts", o.MaxAttempts, "must be at least 1"},
		{o.AttemptTimeout < 0, "AttemptTimeout", o.AttemptTimeout, "must not be negative"},
		{o.MinBackoff < 0, "MinBackoff", o.MinBackoff, "must not be negative"},
		{o.MaxBackoff < o.MinBackoff, "MaxBackoff", o.MaxBackoff, "must be at least MinBackoff"},
		{o.MaxBuffer < 0, "MaxBuffer", o.MaxBuffer, "must not be negative"},
	} {
		if rule.broken {
			return fmt.Errorf("client: Options.%s %s: %v", rule.field, rule.want, rule.value)
		}
	}
	return nil
}
