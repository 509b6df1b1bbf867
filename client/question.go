package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	urlpkg "net/url"
	"slices"
	"time"

	"github.com/onceberg/onceberg/runtime"
)

const (
	// maxRedirects is how often the question may be sent because of redirects.
	maxRedirects = 10
	// statusAuthenticationTimeout is Iceberg's, and not registered.
	statusAuthenticationTimeout = 419
)

// getConfig names the question for a lifetime in errors.
var getConfig = &runtime.Operation{ID: "getConfig", Method: http.MethodGet, Path: configPath}

// lifetime returns for how long the server's keys may be retried, 0 when it does
// not advertise that. A server that has not been heard of is asked, by one
// request for all that come meanwhile.
func (t *Transport) lifetime(r *http.Request, m match) (lifetime time.Duration, err error) {
	url := origin(r) + m.base
	for {
		s, first := t.registry.ask(url)
		switch {
		case s.known:
			return s.lifetime, s.bad
		case first:
			defer func() { t.registry.answered(url, s.asking, err) }()
			return t.ask(r, m.op, url)
		}
		select {
		case <-s.asking.done:
		case <-r.Context().Done():
			return 0, r.Context().Err()
		}
		if err := s.asking.err; err != nil && !personal(err) {
			return 0, err
		}
	}
}

// personal reports whether an error is about the request that met it, its time or
// its credentials, which is nothing to any other.
func personal(err error) bool {
	var refusal *StatusError
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &refusal) && ofCaller(refusal.Status)
}

// ofCaller reports whether a status refuses whoever asks.
func ofCaller(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, statusAuthenticationTimeout:
		return true
	}
	return false
}

// ask gets the configuration with the credentials of the request that needs it.
// Only a configuration is remembered; a refusal promises nothing.
func (t *Transport) ask(r *http.Request, op *runtime.Operation, url string) (time.Duration, error) {
	text, err := t.getConfig(r, op, url)
	if err != nil {
		return 0, fmt.Errorf("asking for the lifetime of keys: %w", err)
	}
	lifetime, bad := advertised(text)
	t.registry.learn(url, lifetime, bad)
	return lifetime, bad
}

// getConfig returns the configuration. A redirect is followed by http.Client's
// rules for credentials, as the mutation's own would be.
func (t *Transport) getConfig(r *http.Request, op *runtime.Operation, url string) ([]byte, error) {
	q, err := question(r, op, url)
	if err != nil {
		return nil, err
	}
	response, err := (&http.Client{Transport: inquirer{t}, CheckRedirect: checkRedirect}).Do(q)
	var outer *urlpkg.Error
	switch {
	case errors.As(err, &outer):
		return nil, outer.Err // the URL of a redirect may hold a secret
	case err != nil:
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &StatusError{Status: response.StatusCode, Foreign: true} // a redirect that leads nowhere
	}
	return io.ReadAll(response.Body)
}

// inquirer sends each request of a question until it is answered.
type inquirer struct{ t *Transport }

func (i inquirer) RoundTrip(q *http.Request) (*http.Response, error) {
	return (&errand{t: i.t, op: getConfig, request: q}).run()
}

func checkRedirect(q *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= maxRedirects:
		return errors.New("the server redirects without end")
	case via[len(via)-1].URL.Scheme == "https" && q.URL.Scheme != "https":
		return errors.New("the server redirects from https to http")
	}
	return nil
}

// judgeConfig tells whether an answer settles the question. What the catalog
// itself says, or about who asks, is not asked for twice; what something on the
// way says may be over soon, such as an ingress's 404 while the catalog restarts.
func (a *answer) judgeConfig(text []byte) {
	status := a.response.StatusCode
	switch {
	case status == http.StatusOK && a.whole && isConfig(text):
	case status >= 300 && status <= 399:
	case status >= 400:
		refusal := statusError(a.response, text)
		a.cause, a.again = refusal, refusal.Foreign && !ofCaller(status)
	default:
		a.cause, a.again = &StatusError{Status: status, Foreign: true}, true
	}
}

// question is a request for the configuration, in the name of another request.
func question(r *http.Request, op *runtime.Operation, url string) (*http.Request, error) {
	q, err := http.NewRequestWithContext(r.Context(), http.MethodGet, url+configPath, http.NoBody)
	if err != nil {
		return nil, err
	}
	q.Host = r.Host
	for name, values := range r.Header {
		switch name {
		case op.KeyHeader, "Content-Type", "Content-Length", "Content-Encoding", "Accept-Encoding", "Expect":
		default:
			q.Header[name] = slices.Clone(values)
		}
	}
	return q, nil
}
