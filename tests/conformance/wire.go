package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/generated"
)

// maxAnswer is how much of a body is read; no catalog made by the kit is larger.
const maxAnswer = 16 << 20

// faultMark tells the kit's proxy what to do to a request; it goes no further.
const faultMark = "Onceberg-Conform-Fault"

// call is a request of the API. The path is what follows /v1 and the prefix.
type call struct {
	method, path, query string
	body                any
	// unprefixed calls have no prefix in their path.
	unprefixed bool
	// refusal is the answer without a key to a call that is meant to be refused.
	// Nil for one that is meant to succeed.
	refusal *answer
}

// served reports whether an answer is the one that the call is meant to get.
func (c call) served(a answer) bool {
	if c.refusal != nil {
		return differ(*c.refusal, a) == ""
	}
	return a.ok()
}

// way is how a call is sent.
type way struct {
	// keys are the values of the key header; nil sends none.
	keys []string
	// as is the token; empty means the target's own.
	as string
	// lose has the answer lost on the way, when the server has given it.
	lose bool
	// hangUp has the client leave when the request has been written.
	hangUp bool
	// carried has package client send it, with a key of its own, as often as it
	// takes until an answer has come.
	carried bool
	// note is shown with the exchange.
	note string
}

func with(key string) way { return way{keys: []string{key}} }

// answer is what came back, if anything did.
type answer struct {
	status int
	header http.Header
	body   []byte
	err    error
	unsent bool // there is no answer, and there will be no effect
}

// ok reports whether the answer is a success.
func (a answer) ok() bool { return a.err == nil && a.status >= 200 && a.status < 300 }

// refused reports whether the answer says that the request was wrong.
func (a answer) refused() bool { return a.err == nil && a.status >= 400 && a.status < 500 }

// send sends a call once and keeps what was said.
func (t *trial) send(ctx context.Context, c call, w way) answer {
	a := t.server.exchange(ctx, c, w, t.options)
	e := Exchange{
		Method: c.method, Path: t.server.path(c), Key: strings.Join(w.keys, " | "), Note: w.note,
		Status: a.status, RetryAfter: a.header.Get("Retry-After"), Body: excerpt(a.body),
	}
	if a.err != nil {
		e.Error = a.err.Error()
	}
	t.keep(e)
	t.heed(c, w, a)
	if a.status == 0 && !w.lose && !w.hangUp {
		t.unanswered.Store(true)
	}
	return a
}

// exchange sends a request and reads its answer.
func (s *server) exchange(ctx context.Context, c call, w way, o Options) answer {
	timeout := o.Timeout
	if w.carried && c.method != http.MethodGet {
		timeout += o.Patience // for all attempts together
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if w.hangUp {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { cancel() }})
	}
	request, err := s.request(ctx, c, w)
	if err != nil {
		return answer{err: err, unsent: true}
	}
	by := s.linger(s.direct, o)
	switch {
	case w.lose:
		by = s.linger(s.lossy, o)
	case w.carried:
		by = s.carrier
	}
	response, err := by.RoundTrip(request)
	if err != nil {
		return answer{status: lastStatus(err), err: s.explain(ctx, err, w, o), unsent: unsent(err)}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	a := answer{status: response.StatusCode, header: response.Header, body: bytes.TrimSpace(body)}
	if err != nil {
		a.err = s.explain(ctx, err, w, o)
	}
	return a
}

// lastStatus is that of the last attempt that package client made before it gave up;
// 0 when there was no answer, nor has to have been one.
func lastStatus(err error) int {
	var last *client.StatusError
	if errors.As(err, &last) {
		return last.Status
	}
	return 0
}

// unsent reports whether an error says that no request has reached the server that may
// have an effect yet.
func unsent(err error) bool {
	ended := errors.Is(err, errEnded)
	var carried *client.Error
	if errors.As(err, &carried) {
		return !carried.StateUnknown || ended && carried.Attempts == 1
	}
	return ended
}

func (s *server) explain(ctx context.Context, err error, w way, o Options) error {
	switch {
	case w.hangUp && errors.Is(ctx.Err(), context.Canceled):
		return errors.New("the client hung up")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("no answer within %v", o.Timeout)
	case w.lose:
		return errors.New("the answer was lost on the way")
	}
	return err
}

func (s *server) request(ctx context.Context, c call, w way) (*http.Request, error) {
	base := s.base
	if w.lose {
		base = s.proxyBase
	}
	url := base + s.path(c)
	var body io.Reader
	if c.body != nil {
		// Not a kind of reader that net/http knows how to read twice: it must
		// not resend by itself.
		body = io.MultiReader(bytes.NewReader(encode(c.body)))
	}
	request, err := http.NewRequestWithContext(ctx, c.method, url, body)
	if err != nil {
		return nil, err
	}
	request.Host = s.host
	for name, values := range s.target.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	request.Header.Set("Accept", "application/json")
	if c.body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.ContentLength = int64(len(encode(c.body)))
	}
	token := s.token
	if w.as != "" {
		token = w.as
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if w.keys != nil {
		request.Header[generated.KeyHeader] = w.keys
	}
	if w.lose {
		request.Header.Set(faultMark, clienttest.Lose.String())
	}
	return request, nil
}

// path is the path and query of a call.
func (s *server) path(c call) string {
	path := "/v1"
	if s.prefix != "" && !c.unprefixed {
		path += "/" + s.prefix
	}
	path += c.path
	if c.query != "" {
		path += "?" + c.query
	}
	return path
}

// chooseFault is what the kit's proxy asks about each request.
func chooseFault(r *http.Request) clienttest.Fault {
	mark := r.Header.Get(faultMark)
	r.Header.Del(faultMark)
	if mark == clienttest.Lose.String() {
		return clienttest.Fault{Kind: clienttest.Lose}
	}
	return clienttest.Fault{}
}
