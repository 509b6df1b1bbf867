package auth

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// Bounds on what an issuer may do to this server, and this server to an issuer.
const (
	issuerTimeout = 10 * time.Second
	issuerAnswer  = 1 << 20
	// refetch is the least time between two questions for one document. Anybody
	// can make up tokens with unknown keys, and each would be a question.
	refetch = time.Second
)

// fetcher is how an issuer is asked. It answers from what it has just been told,
// and takes no more than any key set needs; the library would read everything
// to its end. It shares no connections with others, so that they can be closed.
type fetcher struct {
	transport *http.Transport
	now       func() time.Time

	mu   sync.Mutex
	told map[string]told
}

type told struct {
	at   time.Time
	body []byte
}

func newHTTPClient(now func() time.Time) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{Timeout: issuerTimeout, Transport: &fetcher{transport: transport, now: now, told: map[string]told{}}}
}

// CloseIdleConnections is called by the client's method of that name.
func (f *fetcher) CloseIdleConnections() { f.transport.CloseIdleConnections() }

// RoundTrip implements http.RoundTripper.
func (f *fetcher) RoundTrip(r *http.Request) (*http.Response, error) {
	url := r.URL.String()
	f.mu.Lock()
	last, ok := f.told[url]
	f.mu.Unlock()
	if ok && f.now().Sub(last.at) < refetch {
		return &http.Response{
			Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
			Body: io.NopCloser(bytes.NewReader(last.body)), ContentLength: int64(len(last.body)),
		}, nil
	}
	response, err := f.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, issuerAnswer+1))
	response.Body.Close()
	if err == nil && len(body) > issuerAnswer {
		err = errors.New("the issuer's answer is too large")
	}
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusOK {
		f.mu.Lock()
		f.told[url] = told{f.now(), body}
		f.mu.Unlock()
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}
