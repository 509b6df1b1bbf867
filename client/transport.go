package client

import (
	"io"
	"net/http"
)

// Transport is an http.RoundTripper that gives mutations of an Iceberg REST
// catalog a key and resends them until their outcome is known. It is safe for
// concurrent use, keeps no goroutine, and needs no closing; make one with
// NewTransport and keep it for as long as the catalog is used.
type Transport struct {
	options  Options
	table    table
	registry registry
}

var _ http.RoundTripper = (*Transport)(nil)

// NewTransport returns a Transport. The error names what is wrong with the
// options.
func NewTransport(options Options) (*Transport, error) {
	options = options.withDefaults()
	if err := options.check(); err != nil {
		return nil, err
	}
	t, err := newTable(options.Operations)
	if err != nil {
		return nil, err
	}
	return &Transport{options: options, table: t, registry: registry{servers: map[string]*server{}}}, nil
}

// RoundTrip sends a request, a mutation that takes a key as often as it needs,
// and returns the answer that settles it. A mutation that got none ends in an
// *Error. Everything else goes through Options.Base as it is.
//
// The answer to a mutation has been read to its end when RoundTrip returns, as
// far as Options.MaxBuffer. Its Request is the one that was sent last, and has
// the key.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	m, ok := t.find(r)
	if !ok {
		return t.passThrough(r)
	}
	lifetime, err := t.lifetime(r, m)
	if err != nil {
		closeBody(r)
		return nil, &Error{Operation: m.op.ID, Cause: err}
	}
	if lifetime == 0 {
		return t.passThrough(r)
	}
	return t.mutate(r, m.op, lifetime)
}

// CloseIdleConnections closes those of Options.Base, if it has such a method;
// http.Client.CloseIdleConnections calls it.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.options.Base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// find returns the keyed operation of a request.
func (t *Transport) find(r *http.Request) (match, bool) {
	if isRead(r.Method) || r.URL == nil || r.URL.Opaque != "" || r.URL.Host == "" {
		return match{}, false
	}
	origin := origin(r)
	m, ok := t.table.find(r.Method, r.URL.EscapedPath(), func(base string) bool {
		return t.registry.knows(origin + base)
	})
	return m, ok && m.op.Idempotent
}

// passThrough sends a request as it is. What a configuration says on its way back
// is taken note of.
func (t *Transport) passThrough(r *http.Request) (*http.Response, error) {
	response, err := t.options.Base.RoundTrip(r)
	if err == nil {
		t.observe(r, response)
	}
	return response, err
}

// origin is the server's URL without its path.
func origin(r *http.Request) string { return r.URL.Scheme + "://" + r.URL.Host }

// closeBody does what a RoundTripper owes a request that it does not send.
func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// prefixed is a body of which the beginning has been read already.
type prefixed struct {
	io.Reader
	io.Closer
}
