// Package purge deletes expired records in the background. Correctness does not
// depend on it, since an expired record counts as absent anyway; the size of the
// table does.
//
// Every node runs a [Purger] of its own, without a leader. Each waits a random
// part of the interval before its first round, so that nodes started together
// do not purge together, and between batches rests for as long as the last one
// took: it is then busy for half of the time at most, and gives way when the
// database is slow.
package purge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/onceberg/onceberg/store"
)

// Options tune a Purger. The zero value is ready to use.
type Options struct {
	// Batch is the most records deleted at a time; 0 means 500.
	Batch int

	// OnPurged hears after every batch how many records it deleted, and OnError
	// why a batch failed. Both run on the goroutine of Run; nil means nobody
	// listens.
	OnPurged func(records int)
	OnError  func(error)

	// Logger hears of failures; nil means slog.Default.
	Logger *slog.Logger
}

// Purger deletes the expired records of a store, again and again.
type Purger struct {
	store    store.Store
	interval time.Duration
	options  Options
}

// New returns a purger that starts a round about every interval, which must be
// positive. It does nothing until Run.
func New(s store.Store, interval time.Duration, options Options) (*Purger, error) {
	if interval <= 0 {
		return nil, fmt.Errorf("purge: interval %v is not positive", interval)
	}
	if options.Batch <= 0 {
		options.Batch = 500
	}
	if options.OnPurged == nil {
		options.OnPurged = func(int) {}
	}
	if options.OnError == nil {
		options.OnError = func(error) {}
	}
	if options.Logger == nil {
		options.Logger = slog.Default()
	}
	return &Purger{store: s, interval: interval, options: options}, nil
}

// Run purges until the context is done or the store is closed. A round that
// fails is given up; the next one comes after the usual interval.
func (p *Purger) Run(ctx context.Context) {
	wait := rand.N(p.interval) + 1
	for rest(ctx, wait) {
		err := p.round(ctx)
		switch {
		case ctx.Err() != nil || errors.Is(err, store.ErrClosed):
			return
		case err != nil:
			p.options.Logger.WarnContext(ctx, "purging expired idempotency records failed", "error", err)
			p.options.OnError(err)
		}
		// A tenth more or less, so that nodes do not fall into step.
		wait = p.interval - p.interval/10 + rand.N(p.interval/5+1)
	}
}

// round deletes batches until one is not full.
func (p *Purger) round(ctx context.Context) error {
	for {
		start := time.Now()
		n, err := p.store.PurgeExpired(ctx, p.options.Batch)
		if n > 0 {
			p.options.OnPurged(n)
		}
		if err != nil {
			return err
		}
		if n < p.options.Batch || !rest(ctx, time.Since(start)) {
			return nil
		}
	}
}

// rest waits, and reports false when the context is done first.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
