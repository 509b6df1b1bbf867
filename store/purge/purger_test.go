package purge_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/purge"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// expiring is a store of which only PurgeExpired is called. Each call takes a
// while and deletes from what there is.
type expiring struct {
	store.Store
	records int
	took    time.Duration
	err     error
	heals   time.Duration // how long after the first call err ends; 0 is never
	calls   []time.Time
}

func (e *expiring) PurgeExpired(ctx context.Context, limit int) (int, error) {
	e.calls = append(e.calls, time.Now())
	if e.err != nil && (e.heals == 0 || time.Since(e.calls[0]) < e.heals) {
		return 0, e.err
	}
	select {
	case <-time.After(e.took):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	n := min(limit, e.records)
	e.records -= n
	return n, nil
}

const interval = 5 * time.Minute

// run runs a purger for a while and returns when it started.
func run(t *testing.T, s store.Store, options purge.Options, during func(start time.Time)) {
	t.Helper()
	options.Logger = slog.New(slog.DiscardHandler)
	synctest.Test(t, func(t *testing.T) {
		p, err := purge.New(s, interval, options)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		start := time.Now()
		go func() {
			defer close(done)
			p.Run(ctx)
		}()
		during(start)
		cancel()
		<-done
	})
}

func TestRoundEmptiesTheStore(t *testing.T) {
	t.Parallel()
	s := &expiring{records: 1234, took: 100 * time.Millisecond}
	var purged []int
	run(t, s, purge.Options{OnPurged: func(n int) { purged = append(purged, n) }}, func(time.Time) {
		time.Sleep(interval + time.Second) //nolint:forbidigo // the bubble's time, not ours
	})
	if s.records != 0 || !slices.Equal(purged[:3], []int{500, 500, 234}) {
		t.Errorf("%d records are left after batches of %v", s.records, purged)
	}
	for i := 1; i < 3; i++ {
		if gap := s.calls[i].Sub(s.calls[i-1]); gap < 2*s.took {
			t.Errorf("batch %d began %v after the one before, want a rest as long as a batch", i, gap)
		}
	}
}

func TestRoundsKeepTheirDistance(t *testing.T) {
	t.Parallel()
	s := &expiring{}
	var begin time.Time
	run(t, s, purge.Options{}, func(start time.Time) {
		begin = start
		time.Sleep(100 * interval) //nolint:forbidigo // the bubble's time, not ours
	})
	if first := s.calls[0].Sub(begin); first > interval {
		t.Errorf("the first round began after %v", first)
	}
	distances := map[time.Duration]bool{}
	for i := 1; i < len(s.calls); i++ {
		gap := s.calls[i].Sub(s.calls[i-1])
		distances[gap] = true
		if gap < interval*9/10 || gap > interval*11/10 {
			t.Errorf("round %d began %v after the one before", i, gap)
		}
	}
	if len(s.calls) < 90 || len(distances) < 10 {
		t.Errorf("%d rounds with %d different distances", len(s.calls), len(distances))
	}
}

func TestFailuresDoNotStopIt(t *testing.T) {
	t.Parallel()
	failure := errors.New("the database is away")
	s := &expiring{records: 10, err: failure, heals: 3 * interval}
	var failures []error
	run(t, s, purge.Options{OnError: func(err error) { failures = append(failures, err) }}, func(time.Time) {
		time.Sleep(6 * interval) //nolint:forbidigo // the bubble's time, not ours
	})
	if len(failures) < 2 || !errors.Is(failures[0], failure) {
		t.Errorf("failures %v", failures)
	}
	if s.records != 0 {
		t.Errorf("%d records are left", s.records)
	}
}

// TestClosedStoreEndsIt lets the purger stop by itself.
func TestClosedStoreEndsIt(t *testing.T) {
	t.Parallel()
	s := &expiring{err: store.ErrClosed}
	run(t, s, purge.Options{OnError: func(err error) { t.Error(err) }}, func(time.Time) {
		time.Sleep(10 * interval) //nolint:forbidigo // the bubble's time, not ours
	})
	if len(s.calls) != 1 {
		t.Errorf("a closed store was asked %d times", len(s.calls))
	}
}

// TestCancelEndsABatch stops in the middle of a call, and says nothing about it.
func TestCancelEndsABatch(t *testing.T) {
	t.Parallel()
	s := &expiring{records: 10, took: time.Hour}
	run(t, s, purge.Options{OnError: func(err error) { t.Error(err) }}, func(time.Time) {
		time.Sleep(interval + time.Second) //nolint:forbidigo // the bubble's time, not ours
	})
	if len(s.calls) != 1 || s.records != 10 {
		t.Errorf("%d calls, %d records are left", len(s.calls), s.records)
	}
}

func TestIntervalMustBePositive(t *testing.T) {
	t.Parallel()
	for _, d := range []time.Duration{0, -time.Second} {
		if _, err := purge.New(&expiring{}, d, purge.Options{}); err == nil {
			t.Errorf("an interval of %v was taken", d)
		}
	}
}
