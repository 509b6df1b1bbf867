package conformance

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// A run that is ended sends nothing more under test, but lets what is under way have
// its answer: a request that is cut off may be carried out all the same, at a moment
// when what it makes has been looked for already.

// errEnded is why the context of a run's trials ends when its caller's does.
var errEnded = errors.New("the run was ended")

// abandonment ends, at once, whatever outlasts the end of a run.
type abandonment struct {
	now   func()
	done  func() bool
	after func(func()) (stop func() bool)
}

func newAbandonment() abandonment {
	ctx, cancel := context.WithCancel(context.Background())
	return abandonment{
		now:   cancel,
		done:  func() bool { return ctx.Err() != nil },
		after: func(f func()) func() bool { return context.AfterFunc(ctx, f) },
	}
}

// outlast is a context that goes on when the other one has ended, for so long, unless
// the run is abandoned.
func (a abandonment) outlast(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	outlasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	stop := a.after(cancel)
	return outlasting, func() {
		stop()
		cancel()
	}
}

// lingering sends requests that the end of a run does not cut off. All other ends of
// their contexts do.
type lingering struct {
	base      http.RoundTripper
	abandoned abandonment
	most      time.Duration // that a request may take once the run was ended
}

func (s *server) linger(base http.RoundTripper, o Options) http.RoundTripper {
	return lingering{base, s.abandoned, o.Timeout + time.Second}
}

// RoundTrip implements http.RoundTripper.
func (l lingering) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if ctx.Err() != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, context.Cause(ctx)
	}
	outlasting, cancel := l.abandoned.outlast(ctx, l.most)
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(context.Cause(ctx), errEnded) {
			cancel()
		}
	})
	end := func() {
		stop()
		cancel()
	}
	response, err := l.base.RoundTrip(r.WithContext(outlasting))
	if err != nil {
		end()
		return nil, err
	}
	response.Body = ending{response.Body, end}
	return response, nil
}

// ending is a body that calls a function when it is closed.
type ending struct {
	io.ReadCloser
	end func()
}

// Close implements io.Closer.
func (e ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}

// watch passes the end of a run on to its trials, until there are none left. What
// outlasts it has the time of a request and that of cleaning up, and none any more when
// the run is abandoned.
func (r *runner) watch(ended, none <-chan struct{}) {
	select {
	case <-ended:
		r.giveUp(errEnded)
	case <-r.options.Abandon:
		r.giveUp(errEnded)
		r.server.abandoned.now()
		return
	case <-none:
		return
	}
	timer := time.NewTimer(r.options.Timeout + cleaning)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.options.Abandon:
	case <-none:
		return
	}
	r.server.abandoned.now()
}
