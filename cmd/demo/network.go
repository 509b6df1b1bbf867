package main

import (
	"net/http"
	"strings"
	"sync"

	"github.com/onceberg/onceberg/client/clienttest"
)

// lossyNetwork returns a proxy that loses the answer to the first commit of each
// table: the server has sent it to the last byte, the client gets nothing.
func lossyNetwork(server string) (*clienttest.Proxy, error) {
	var mu sync.Mutex
	lost := map[string]bool{}
	return clienttest.NewProxy(server, func(r *http.Request) clienttest.Fault {
		mu.Lock()
		defer mu.Unlock()
		if r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "/tables/") || lost[r.URL.Path] {
			return clienttest.Fault{}
		}
		lost[r.URL.Path] = true
		return clienttest.Fault{Kind: clienttest.Lose}
	})
}

// newConnections opens a connection for each request, since on a used one net/http
// may resend by itself, unseen.
func newConnections() *http.Transport { return &http.Transport{DisableKeepAlives: true} }

// resender sends a commit that was not answered once more, without a key: what
// retrying clients did before there were keys.
type resender struct {
	base http.RoundTripper
	seen func(number, status int)
}

// RoundTrip implements http.RoundTripper.
func (s resender) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := s.base.RoundTrip(r)
	if err == nil || r.GetBody == nil {
		return response, err
	}
	s.seen(1, 0)
	again := r.Clone(r.Context())
	if again.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	response, err = s.base.RoundTrip(again)
	if err == nil {
		s.seen(2, response.StatusCode)
	}
	return response, err
}
