package client

import (
	"context"
	"net/http"
	"time"

	"github.com/onceberg/onceberg/runtime"
)

// errand is a request that is sent until its outcome is known.
type errand struct {
	t       *Transport
	op      *runtime.Operation // a mutation, or getConfig
	request *http.Request      // sent anew each time, from a copy
	body    body
	key     string
	given   bool      // the request has its key already
	expires time.Time // zero: never
	inDoubt bool      // an attempt may have been applied
}

// mutate gives a request its key and sends it.
func (t *Transport) mutate(r *http.Request, op *runtime.Operation, lifetime time.Duration) (*http.Response, error) {
	e := &errand{t: t, op: op, request: r}
	body, err := newBody(r, t.options.MaxBuffer)
	if err != nil {
		return nil, e.failed(0, nil, err)
	}
	e.body = body
	now := t.options.Clock.Now()
	e.expires = now.Add(lifetime)
	if given := r.Header.Values(op.KeyHeader); len(given) > 0 {
		e.given, e.key = true, given[0]
		e.expires = madeAt(e.key, now).Add(lifetime)
	} else if e.key, err = newKey(t.options.Random, now); err != nil {
		return nil, e.failed(0, nil, err)
	}
	return e.run()
}

// run sends the request until an answer settles it or there is a reason to stop.
func (e *errand) run() (*http.Response, error) {
	for n := 1; ; n++ {
		a := e.attempt()
		e.inDoubt = e.inDoubt || a.doubt && e.op.Idempotent
		if a.cause == nil {
			e.report(n, a, 0)
			return a.response, nil
		}
		pause, again, reason := e.next(n, a)
		e.report(n, a, pause)
		if !again {
			return nil, e.failed(n, reason, a.cause)
		}
		if err := e.t.options.Clock.Wait(e.request.Context(), pause); err != nil {
			return nil, e.failed(n, err, a.cause)
		}
		// Clocks go on while a machine sleeps.
		if e.expired(e.t.options.Clock.Now()) {
			return nil, e.failed(n, ErrLifetime, a.cause)
		}
	}
}

// next returns the pause before the next attempt, or why there is none; the
// reason is nil when the answer is it.
func (e *errand) next(n int, a answer) (pause time.Duration, again bool, reason error) {
	o, ctx := &e.t.options, e.request.Context()
	switch {
	case ctx.Err() != nil:
		return 0, false, ctx.Err()
	case !a.again:
		return 0, false, nil
	case n >= o.MaxAttempts:
		return 0, false, ErrAttempts
	}
	pause = max(o.backoff(n), o.lengthen(a.retryAfter))
	then := o.Clock.Now().Add(pause)
	if e.expired(then) {
		return 0, false, ErrLifetime
	}
	// To end before the deadline rather than at it leaves the caller time to
	// react, and http.Client the whole error.
	if deadline, ok := ctx.Deadline(); ok && !then.Before(deadline) {
		return 0, false, errDeadline
	}
	return pause, true, nil
}

func (e *errand) expired(at time.Time) bool { return !e.expires.IsZero() && !at.Before(e.expires) }

// attempt sends the request once and reads the answer.
func (e *errand) attempt() answer {
	s := newSending(e.request.Context(), e.t.options.AttemptTimeout)
	request, err := e.copy(s.ctx)
	if err != nil {
		s.end()
		return answer{cause: err}
	}
	response, err := e.t.options.Base.RoundTrip(request) //nolint:bodyclose // closed in read, or by the caller
	if err != nil {
		s.end()
		return lost(err, !s.connected.Load())
	}
	a := e.read(response, e.inDoubt || s.resent())
	a.doubt = a.doubt || s.resent()
	if a.cause != nil || a.whole {
		s.end()
	} else {
		// What is streamed may take as long as it likes.
		s.timer.Stop()
		body := a.response.Body
		a.response.Body = prefixed{body, closer(func() error { defer s.end(); return body.Close() })}
	}
	if a.response != nil {
		a.response.Request = request.WithContext(e.request.Context())
		a.retryAfter = retryAfter(a.response.Header, e.t.options.Clock.Now())
	}
	return a
}

func (e *errand) read(response *http.Response, inDoubt bool) answer {
	if !e.op.Idempotent {
		return read(response, maxConfig, (*answer).judgeConfig)
	}
	return read(response, e.t.options.MaxBuffer, func(a *answer, text []byte) { a.judge(text, inDoubt) })
}

// copy makes the request for one attempt, so that nothing on the way can change
// the next one.
func (e *errand) copy(ctx context.Context) (*http.Request, error) {
	request := e.request.Clone(ctx)
	if request.Header == nil {
		request.Header = http.Header{}
	}
	if e.op.Idempotent && !e.given {
		request.Header.Set(e.op.KeyHeader, e.key)
	}
	return request, e.body.attach(request)
}

func (e *errand) report(n int, a answer, pause time.Duration) {
	if e.t.options.OnAttempt == nil || !e.op.Idempotent {
		return
	}
	attempt := Attempt{Operation: e.op, Key: e.key, Number: n, Cause: a.cause, Pause: pause}
	if a.response != nil {
		attempt.Status = a.response.StatusCode
		attempt.Replayed = replayed(a.response)
	}
	e.t.options.OnAttempt(attempt)
}

func (e *errand) failed(attempts int, reason, cause error) *Error {
	return &Error{
		Operation: e.op.ID, Key: e.key, Attempts: attempts, StateUnknown: e.inDoubt,
		Reason: reason, Cause: cause,
	}
}

type closer func() error

func (c closer) Close() error { return c() }
