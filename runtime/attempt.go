package runtime

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"
)

// attempt runs h on ctx and captures its whole answer, that to an error or a
// panic included, which is returned too. It may be called more than once for a
// request; each time starts afresh.
func (k *call) attempt(ctx context.Context, h echo.HandlerFunc) (err error) {
	c, outer, request := k.c, k.c.Response(), k.c.Request()
	c.SetResponse(k.rec.begin(c.Echo(), outer.Header()))
	c.SetRequest(k.detached(ctx, request))
	k.ex.summary, k.ex.summarized = nil, false
	defer func() {
		if value := recover(); value != nil {
			err = newPanicError(value)
		}
		if err != nil {
			c.SetResponse(k.rec.begin(c.Echo(), outer.Header()))
			answerError(c, k.ex.op, err, k.g.cfg.Logger)
		}
		k.rec.finish()
		c.SetResponse(outer)
		c.SetRequest(request)
	}()
	return h(c)
}

// detached is the request as the handler sees it: on a context of its own, and
// with a body that can be read again.
func (k *call) detached(ctx context.Context, r *http.Request) *http.Request {
	r = r.WithContext(ctx)
	k.reader.Reset(k.ex.body)
	r.Body = &k.reader
	return r
}

// bodyReader is a request body that is in memory.
type bodyReader struct{ bytes.Reader }

// Close implements io.Closer.
func (*bodyReader) Close() error { return nil }

var _ io.ReadCloser = (*bodyReader)(nil)

// verdict is what an attempt's answer says about its mutation.
type verdict int

const (
	// conclusive: the answer is final and will be recorded.
	conclusive verdict = iota
	// untouched: nothing was applied; the key may start over.
	untouched
	// unclear: the mutation may have been applied. The key must not be
	// forgotten: the next attempt has to know that there was one.
	unclear
)

// judge reads the verdict from an answer. sure is false after a lost attempt:
// what looks like a refusal may then be the trace of its success, so that
// nothing but a success is conclusive.
func judge(status int, err error, sure bool) verdict {
	switch {
	case success(status):
		return conclusive
	case !sure:
		return unclear
	case Final(status):
		return conclusive
	case notApplied(status):
		return untouched
	}
	if e, ok := asError(err); ok && e.NotApplied {
		return untouched
	}
	return unclear
}

// misleading reports whether an answer would make clients believe, perhaps
// wrongly, that the mutation failed, so that they clean up after it.
func misleading(status int) bool {
	return !success(status) && (status < http.StatusInternalServerError || status == http.StatusNotImplemented)
}

// stateUnknown is what the client gets in place of a misleading answer.
func (k *call) stateUnknown(cause error) error {
	e := Errorf(http.StatusInternalServerError, TypeStateUnknown,
		"An earlier attempt of this request was lost; whether it was applied is not known")
	e.Cause = cause
	return e
}

// aborted reports whether a handler asked to cut the connection.
func aborted(err error) bool {
	if err == nil {
		return false
	}
	var p *panicError
	return errors.As(err, &p) && p.value == http.ErrAbortHandler //nolint:errorlint // net/http compares it so
}
