package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// body is a request's body, which can be read anew for every attempt. The zero
// body is none.
type body struct {
	open func() (io.ReadCloser, error)
	size int64
}

// newBody takes over the body of a request, and closes it. One that cannot be
// opened again is read into memory as far as the limit.
func newBody(r *http.Request, limit int64) (body, error) {
	defer closeBody(r)
	if r.Body == nil || r.Body == http.NoBody {
		return body{}, nil
	}
	if r.GetBody != nil {
		return body{open: r.GetBody, size: r.ContentLength}, nil
	}
	// A limit at the end of the number range cannot be exceeded.
	text, err := io.ReadAll(io.LimitReader(r.Body, max(limit, limit+1)))
	switch size := int64(len(text)); {
	case err != nil:
		return body{}, fmt.Errorf("reading the request's body: %w", err)
	case size > limit:
		return body{}, fmt.Errorf("%w: it has no GetBody and is larger than %d bytes", ErrBodyTooLarge, limit)
	case r.ContentLength > 0 && r.ContentLength != size:
		return body{}, fmt.Errorf("the request's body has %d bytes, its ContentLength says %d", size, r.ContentLength)
	case size == 0:
		return body{}, nil
	}
	return body{
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		size: int64(len(text)),
	}, nil
}

// attach gives the body to an attempt.
func (b body) attach(r *http.Request) error {
	r.Body, r.GetBody, r.ContentLength = nil, nil, 0
	if b.open == nil {
		return nil
	}
	opened, err := b.open()
	if err != nil {
		return fmt.Errorf("opening the request's body again: %w", err)
	}
	r.Body, r.GetBody, r.ContentLength = opened, b.open, b.size
	return nil
}
